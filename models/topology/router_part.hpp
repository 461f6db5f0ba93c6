// What a router has of its own, where the network says more than the hardware's configuration.
#pragma once

#include "models/topology/arbiter.hpp"
#include "models/topology/pipeline.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

/// Frequency of a clock as a fraction of the network's: `ticks` of its cycles last as long as `base` cycles
/// of the network. In lowest terms, each 1..most.
struct ClockRatio {
    static constexpr unsigned most = 1000;

    unsigned ticks = 1;
    unsigned base = 1;

    bool is_base() const { return ticks == base; }

    friend bool operator==(const ClockRatio&, const ClockRatio&) = default;
};

/// `2/3`, or `2` for 2/1, in lowest terms; throws std::invalid_argument for anything else, and what is out of
/// range.
ClockRatio parse_clock(std::string_view text);
std::string to_string(const ClockRatio& clock);

/// Depth of a buffer, flits: 1..this.
inline constexpr unsigned most_buffer_flits = 65536;
/// Virtual channels of a link: 1..this.
inline constexpr unsigned most_vcs = 32;

/// Of one router. What it leaves open is as the configuration says.
struct RouterPart {
    std::optional<Pipeline> pipeline = {};
    unsigned buffer_flits = 0; ///< of each virtual channel of its inputs, injection included; 0: left open
    unsigned vcs = 0;          ///< of the links that lead to it, and of its ejection links; 0: left open
    unsigned packets = 0;      ///< that each of its ejection links moves at a time, at most vcs; 0: so many
    std::optional<ArbiterKind> arbiter = {};
    ClockRatio clock = {};
    // What the interfaces of its processors move, thousandths of a byte in a cycle; 0: a flit in each.
    unsigned injection_rate = 0; ///< from the processor to the router, over each of its links
    unsigned ejection_rate = 0;
    /// Flits that the virtual channels of each channel to it share beyond the first of each; 0: each has its
    /// buffer for itself.
    unsigned pool_flits = 0;

    friend bool operator==(const RouterPart&, const RouterPart&) = default;
};

inline constexpr std::array router_properties{"pipeline", "buffers", "pool",      "vcs",     "packets",
                                              "arbiter",  "clock",   "injection", "ejection"};

/// Of router_properties, in their order, those that are not left open.
std::vector<std::pair<std::string, std::string>> properties_of(const RouterPart& part);

/// Sets one of them. Throws std::invalid_argument for another name, or a value that is none or out of range.
void set_property(RouterPart& part, std::string_view name, const std::string& value);

/// A whole number from 1 to `most`; throws std::invalid_argument that names the property for anything else.
unsigned part_number(std::string_view name, std::string_view value, unsigned most);

} // namespace nocturne
