// Collectives between tiles: their schedules on the fabric's own routes, and how processors carry them out.
#pragma once

#include "models/routing/routing.hpp"
#include "schedules/schedule/schedule.hpp"
#include "testbenches/soc_platform/platform.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::soc_platform {

/// How an exchange gets its messages to their receivers.
enum class Communication : std::uint8_t {
    schedule, ///< DMA engines follow the steps, a barrier behind each
    engines,  ///< each processor has its DMA engine copy one message after the other, to the next tile first
    in_order, ///< the same, to tile 0 first
    writes    ///< each processor writes its messages itself, in bursts, to the next tile first
};
inline constexpr unsigned burst_bytes = 64; ///< of Communication::writes

std::string_view to_string(Communication communication);

/// AAS in as many steps as a processor has messages: in step i all send to the processor that is the i-th
/// translation of the torus away. With one port no schedule has fewer. Throws std::invalid_argument if the
/// topology has no grid of two dimensions, or if the validator finds fault with it, as in a mesh or a torus
/// whose rings are longer than 4: then routes of a step share a channel.
Schedule transposition(const Topology& topology, const Routing& routing);

/// A broadcast in each row from its processor in column `root`, or in each column from its processor in row
/// `root`. The library's best schedule for one ring, laid on all of them. Throws likewise.
enum class Lines : std::uint8_t { rows, columns };
Schedule line_broadcasts(const Topology& topology, const Routing& routing, Lines lines, unsigned root);

/// A part of a message's way.
struct Copy {
    unsigned from = 0;
    std::uint64_t source = 0; ///< offset in the memory of `from`
    unsigned to = 0;
    std::uint64_t destination = 0; ///< offset in the memory of `to`
    std::uint64_t bytes = 0;
};

/// One or more collectives, one after the other, as copies.
struct TileExchange {
    std::string name;
    std::vector<std::vector<Copy>> steps;  ///< of the schedules; a tile sends one message a step at most
    std::vector<std::vector<Copy>> direct; ///< by tile: from origin to receivers, the next tile first

    /// Appends a collective. Offsets: of a message at its origin, and at a receiver.
    void add(const Schedule& schedule, std::uint64_t bytes,
             const std::function<std::uint64_t(MessageId)>& at_origin,
             const std::function<std::uint64_t(MessageId)>& at_receiver);
};

/// Where the DMA programs are in each tile's memory: data ends before.
inline constexpr std::uint64_t program_offset = 0xd0000;

/// Loads the DMA programs of all exchanges; outside of simulated time.
void load_programs(const std::vector<TileExchange>& exchanges, Platform& platform);

/// A processor's part of one of the exchanges; all data is where it belongs when it returns, on every tile.
/// Its phase has the exchange's name.
void take_part(Cpu& processor, const std::vector<TileExchange>& exchanges, std::size_t which,
               Communication communication);

} // namespace nocturne::soc_platform
