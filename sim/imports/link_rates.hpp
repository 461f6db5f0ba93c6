// Rates of links, and a clock at which they are whole numbers of bytes per cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nocturne {

/// Of one direction, in 1000 bytes per second: 100 Mb/s are 12'500. A GB has 10^9 bytes.
using LinkRate = std::uint64_t;

inline constexpr LinkRate gb_per_s = 1'000'000;
/// The highest that is read: 100 TB/s.
inline constexpr LinkRate most_link_rate = 100'000 * gb_per_s;

/// `400Gb/s` (also Gbps, Gbit/s), `50GB/s` (GBps), with the prefixes k, M, G, T, and Ki, Mi, Gi, Ti for
/// powers of 1024. Nothing for other texts and for rates beyond most_link_rate.
std::optional<LinkRate> parse_link_rate(std::string_view text);

/// `50 GB/s`, to six digits.
std::string shown_rate(LinkRate rate);

/// What the lanes of a PCIe link carry at this signalling rate, after its encoding: 8b/10b below 8 GT/s,
/// 128b/130b up to 32 GT/s (63/64 GB/s a lane at 8 GT/s, 0.02 % less than exact), 242 of 256 bytes of a flit
/// at 64 GT/s (PCI-SIG, PCI Express Base Specification 6.0, unchecked). 0 for no lanes or less than 2.5 GT/s.
LinkRate pcie_rate(double gigatransfers, unsigned lanes);

/// A clock for a network of links with different rates.
struct LinkClock {
    unsigned cycle_ns = 1;
    double error = 0; ///< the largest relative error of a rate

    /// Bytes per cycle, at least 1.
    unsigned width_of(LinkRate rate) const;
};

/// The shortest cycle of whole nanoseconds, up to 1 µs, in which all links carry whole bytes. If there is
/// none, the first of 1, 10, 100 and 1000 ns with errors of at most 0.1 %, else 1000 ns.
LinkClock clock_for(std::span<const LinkRate> rates);

} // namespace nocturne
