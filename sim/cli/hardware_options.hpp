// The hardware's configuration on the command line.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/simulation/network_model.hpp"

#include <functional>
#include <initializer_list>
#include <span>

namespace nocturne::cli {

OptionTable hardware_options();

/// `--part`, which hardware_options() have too.
OptionTable part_options();
/// The network with what `--part` says of it; throws what with_parts() throws.
Topology with_parts_of(const OptionValues& given, Topology topology);

/// `--selection`, of the commands that can route adaptively.
OptionTable selection_options();
std::optional<Selection> selection_of(const OptionValues& given);

/// What `--vcs` says; nothing for `auto`.
std::optional<unsigned> given_vcs(const std::string& text);

/// The configuration; with `--vcs auto` as many virtual channels as `vc_classes`. Throws
/// std::invalid_argument for a value out of range.
HardwareConfig hardware_of(const OptionValues& given, unsigned vc_classes = 1);

/// Throws std::invalid_argument for an option of the hardware that was given and says nothing of any of these
/// networks at this level: stages of elements that none of them has (unless those of the others are given
/// too), synchronizers where no router has a clock of its own, allocators where no flit moves.
void refuse_idle_hardware(const OptionValues& given, NetworkModel model,
                          std::initializer_list<std::reference_wrapper<const Topology>> networks);
void refuse_idle_hardware(const OptionValues& given, NetworkModel model,
                          std::span<const std::reference_wrapper<const Topology>> networks);

/// Throws std::invalid_argument for `--arbiter priority` where all messages have the same priority. `takes`:
/// what would give them others.
void refuse_idle_priority(const OptionValues& given, std::string_view takes);

/// `--multicast`.
Multicast multicast_of(const OptionValues& given);
/// Throws std::invalid_argument for trees where routers are not simulated.
void refuse_trees(const OptionValues& given, NetworkModel model);

/// What refuse_given() says of `--t0-ns` where nothing has steps.
inline constexpr const char* only_for_steps = "only for a schedule: t0 is the start-up time of its steps";

} // namespace nocturne::cli
