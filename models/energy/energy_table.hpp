// What each thing that a router does costs, as a value and as a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Of a router with flits of one width, pJ a flit.
struct FlitEnergy {
    unsigned flit_bytes = 4;
    double buffer_write_pj = 0;
    double buffer_read_pj = 0;
    double crossbar_pj = 0;

    friend bool operator==(const FlitEnergy&, const FlitEnergy&) = default;
};

/// Energies of one kind of router in one technology; none is negative.
struct EnergyTable {
    std::string name;
    std::string source;            ///< where the figures are from
    std::vector<FlitEnergy> flits; ///< one or more, by ascending width
    double arbitration_pj = 0;     ///< a grant of the switch or of a virtual channel
    double clock_pj = 0;           ///< a router and cycle, busy or not
    double leakage_mw = 0;         ///< of a router
    double link_pj_per_byte_mm = 0;
    double link_mm = 1; ///< of wire: a unit of a channel's length, or a channel whose length is not known

    /// For flits of that many bytes: on the line through the two widths that are nearest, and with a single
    /// one in proportion.
    FlitEnergy at(unsigned flit_bytes) const;
};

/// Reads JSON text; `origin` names it in errors. Throws std::runtime_error, in one line, for what is not such
/// a table: another format or version, an unknown or missing member, a figure that is negative.
EnergyTable parse_energy_table(std::string_view text, std::string_view origin);

/// The same of a file. Throws std::runtime_error also if it cannot be read.
EnergyTable read_energy_table(const std::filesystem::path& file);

} // namespace nocturne
