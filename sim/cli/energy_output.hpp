// Energy of a run on the command line: its table, its place in JSON, and the heat picture of the network.
#pragma once

#include "models/energy/energy.hpp"
#include "models/network/configuration.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/report/fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::cli {

OptionTable energy_options();

/// Nothing without --energy. Throws std::runtime_error for a file that is no energy table, and
/// std::invalid_argument for --energy-svg without one.
std::optional<EnergyTable> energy_table_of(const OptionValues& given);

/// Throws std::invalid_argument for a network with channels so long that their energies have no end. Remarks
/// what energies do not count: lengths that the file does not have, sizes of routers, and routers that chips
/// of planes do not have (tile_routers()).
void check_energy(const Topology& topology, const EnergyTable& energies);

/// A run whose energy is asked for; the network must outlive it.
struct EnergyRun {
    const Topology& topology;
    PortModel ports;
    HardwareConfig hardware;
    Activity activity;
    std::string title; ///< of the picture
};

struct RouterEnergyResult {
    std::string router;
    double energy_pj;
    RouterActivity activity;
};
Fields<RouterEnergyResult> fields_of(const RouterEnergyResult*);

struct ChannelEnergyResult {
    std::string channel;
    std::uint64_t flits;
    std::uint64_t packets;
    double energy_pj;
};
Fields<ChannelEnergyResult> fields_of(const ChannelEnergyResult*);

struct EnergyResult {
    std::string table;
    std::string source;
    NetworkEnergy energy;
    double bytes_delivered;
    std::vector<RouterEnergyResult> routers;
    std::vector<ChannelEnergyResult> channels;
};
Fields<EnergyResult> fields_of(const EnergyResult*);

EnergyResult energy_result(const EnergyTable& table, const EnergyRun& run);
/// The picture that --energy-svg names, if any.
void draw_energy(const OptionValues& given, const EnergyResult& result, const EnergyRun& run);

} // namespace nocturne::cli
