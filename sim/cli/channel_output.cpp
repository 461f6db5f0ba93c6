#include "sim/cli/channel_output.hpp"

#include "models/network/configuration.hpp"
#include "models/topology/files.hpp"
#include "sim/cli/outputs.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne::cli {

bool wants_channels(const OptionValues& given)
{
    return given.is_on("channel-use") || given.has("heat") || given.has("energy");
}

void check_occupancy(const OptionValues& given, const Topology& topology)
{
    if (!given.has("occupancy"))
        return;
    if (given.has("fault-cycle"))
        throw std::invalid_argument("--occupancy: not with --fault-cycle: lost flits never leave a buffer");
    if (const std::string own = own_property(topology, {"clock"}); !own.empty())
        throw std::invalid_argument(
            fmt::format("--occupancy: {}: {}; flits are counted with one clock", topology.name(), own));
}

void draw_heat(const OptionValues& given, std::vector<ChannelLoad> channels, std::size_t count,
               const std::string& title, std::uint64_t begin_cycle, std::uint64_t end_cycle)
{
    if (!given.has("heat"))
        return;
    if (begin_cycle == end_cycle) {
        print_notice(fmt::format("--heat {}: not drawn: nothing was measured", given.text("heat")));
        return;
    }
    channels.resize(count);
    write_file_atomically(given.text("heat"),
                          channel_heat_picture(std::move(channels), title, begin_cycle, end_cycle));
}

Activity activity_of(std::span<const ChannelLoad> channels, std::uint64_t cycles)
{
    Activity activity{{}, cycles};
    for (const ChannelLoad& load : channels)
        activity.links.push_back({load.flits, load.packets});
    return activity;
}

} // namespace nocturne::cli
