// Energy of a run on the command line: its table, its place in JSON, and the heat picture of the network.
#pragma once

#include "models/energy/energy.hpp"
#include "models/network/configuration.hpp"
#include "sim/cli/option_values.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace nocturne::cli {

OptionTable energy_options();

/// Nothing without --energy. Throws std::runtime_error for a file that is no energy table, and
/// std::invalid_argument for --energy-svg without one.
std::optional<EnergyTable> energy_table_of(const OptionValues& given);

/// Throws std::invalid_argument for a network with channels so long that their energies have no end.
void require_finite_energies(const Topology& topology);

/// A run whose energy is asked for; the network must outlive it.
struct EnergyRun {
    const Topology& topology;
    PortModel ports;
    HardwareConfig hardware;
    Activity activity;
    std::string title; ///< of the picture
};

/// The table on standard output, unless --json is given, and the picture that --energy-svg names.
void write_energy(const OptionValues& given, const EnergyTable& table, const EnergyRun& run);

/// Totals, and the energy of every router and channel, pJ.
nlohmann::json energy_document(const EnergyTable& table, const EnergyRun& run);

} // namespace nocturne::cli
