#include "testbenches/soc_platform/exchange.hpp"

#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace nocturne::soc_platform {

namespace {

/// A grid of two dimensions; processor `row * columns + column` is at each place.
struct Tiles {
    unsigned rows;
    unsigned columns;

    explicit Tiles(const Topology& topology)
        : rows(topology.grid() && topology.grid()->extent.size() == 2 ? topology.grid()->extent[0] : 0),
          columns(rows > 0 ? topology.grid()->extent[1] : 0)
    {
        if (rows * columns == 0 || rows * columns != topology.processor_count())
            throw std::invalid_argument(fmt::format(
                "{}: a grid of rows and columns with a processor at each router is needed", topology.name()));
    }
    unsigned at(unsigned row, unsigned column) const { return row % rows * columns + column % columns; }
};

Transfer over_route(const Routing& routing, MessageId message, unsigned source, unsigned destination)
{
    Path path;
    for (const Hop& hop : routing.route(source, destination))
        path.push_back(hop.channel);
    return {message, source, destination, std::move(path)};
}

Schedule valid(Schedule schedule, const Topology& topology)
{
    schedule.topology = topology.name();
    schedule.ports = one_port;
    const std::vector<Violation> violations = validate(schedule, topology);
    if (!violations.empty())
        throw std::invalid_argument(
            fmt::format("{} on {}: {}", schedule.name, topology.name(), violations.front().text));
    return schedule;
}

/// Steps of a broadcast on a ring, source and destination of each transfer; the root is 0.
std::vector<std::vector<std::pair<unsigned, unsigned>>> ring_broadcast(unsigned processors)
{
    const Problem problem{make_topology(fmt::format("ring:{}", processors)), broadcast({processors}, 0),
                          one_port};
    PortfolioOptions options;
    options.workers = 1;
    const PortfolioResult found = find_schedule(problem, options);
    if (!found.is_optimal)
        throw std::invalid_argument(fmt::format("no best schedule found for {}", describe(problem)));
    std::vector<std::vector<std::pair<unsigned, unsigned>>> steps;
    for (const Step& step : found.schedule->steps) {
        steps.emplace_back();
        for (const Transfer& transfer : step)
            steps.back().emplace_back(transfer.source, transfer.destination);
    }
    return steps;
}

std::uint64_t address_in(unsigned tile, std::uint64_t offset)
{
    return tile * tile_bytes + offset;
}

/// Of the programs before it: a descriptor for each step, and one for the barrier behind all copies that
/// follow no schedule.
std::uint64_t program_of(const std::vector<TileExchange>& exchanges, std::size_t which)
{
    std::uint64_t offset = program_offset + sizeof(CopyDescriptor);
    for (std::size_t i = 0; i < which; ++i)
        offset += exchanges[i].steps.size() * sizeof(CopyDescriptor);
    return offset;
}

void write_bursts(Cpu& processor, const Copy& copy)
{
    std::vector<std::uint8_t> data(copy.bytes);
    processor.load(copy.source, data.data(), data.size());
    for (std::size_t done = 0; done < data.size(); done += burst_bytes)
        processor.write(address_in(copy.to, copy.destination + done), data.data() + done,
                        std::min<std::size_t>(burst_bytes, data.size() - done));
}

} // namespace

std::string_view to_string(Communication communication)
{
    switch (communication) {
    case Communication::schedule:
        return "schedule";
    case Communication::engines:
        return "engines";
    case Communication::in_order:
        return "engines, tile 0 first";
    default:
        return "writes";
    }
}

Schedule transposition(const Topology& topology, const Routing& routing)
{
    const Tiles tiles(topology);
    const unsigned count = tiles.rows * tiles.columns;
    Schedule schedule;
    schedule.name = "transposition";
    schedule.collective = alltoall({count});
    for (unsigned shift = 1; shift < count; ++shift) {
        Step& step = schedule.steps.emplace_back();
        for (unsigned tile = 0; tile < count; ++tile) {
            const unsigned to = tiles.at(tile / tiles.columns + shift / tiles.columns,
                                         tile % tiles.columns + shift % tiles.columns);
            step.push_back(over_route(routing, *find_message(schedule.collective, tile, to), tile, to));
        }
    }
    return valid(std::move(schedule), topology);
}

Schedule line_broadcasts(const Topology& topology, const Routing& routing, Lines lines, unsigned root)
{
    const Tiles tiles(topology);
    const bool is_rows = lines == Lines::rows;
    const unsigned count = is_rows ? tiles.rows : tiles.columns;
    const unsigned length = is_rows ? tiles.columns : tiles.rows;
    const auto at = [&](unsigned line, unsigned place) {
        return is_rows ? tiles.at(line, place + root) : tiles.at(place + root, line);
    };
    Schedule schedule;
    schedule.name = is_rows ? "row broadcasts" : "column broadcasts";
    schedule.collective.processors = tiles.rows * tiles.columns;
    for (unsigned line = 0; line < count; ++line) {
        const ProcessorList origin{at(line, 0)};
        std::vector<ProcessorId> receivers;
        for (unsigned place = 1; place < length; ++place)
            receivers.push_back(at(line, place));
        std::sort(receivers.begin(), receivers.end());
        for (const ProcessorId receiver : receivers)
            schedule.collective.demands.push_back({line, receiver, origin});
        schedule.collective.chunks.push_back({1, origin});
    }
    for (const auto& transfers : ring_broadcast(length)) {
        Step& step = schedule.steps.emplace_back();
        for (unsigned line = 0; line < count; ++line)
            for (const auto& [from, to] : transfers)
                step.push_back(over_route(routing, line, at(line, from), at(line, to)));
    }
    return valid(std::move(schedule), topology);
}

void TileExchange::add(const Schedule& schedule, std::uint64_t bytes,
                       const std::function<std::uint64_t(MessageId)>& at_origin,
                       const std::function<std::uint64_t(MessageId)>& at_receiver)
{
    const Messages messages = schedule.collective.messages();
    for (const Step& step : schedule.steps) {
        std::vector<Copy>& copies = steps.emplace_back();
        for (const Transfer& transfer : step) {
            const MessageId id = transfer.message;
            const bool is_relay = transfer.source != messages[id].origin;
            copies.push_back({transfer.source, is_relay ? at_receiver(id) : at_origin(id),
                              transfer.destination, at_receiver(id), bytes});
        }
    }
    const unsigned tiles = schedule.collective.processors;
    std::vector<std::vector<Copy>> added(tiles);
    for (MessageId id = 0; id < messages.size(); ++id)
        for (const unsigned receiver : messages[id].receivers)
            added[messages[id].origin].push_back(
                {messages[id].origin, at_origin(id), receiver, at_receiver(id), bytes});
    direct.resize(tiles);
    for (unsigned tile = 0; tile < tiles; ++tile) {
        const auto distance = [&](const Copy& copy) { return (copy.to + tiles - tile) % tiles; };
        std::sort(added[tile].begin(), added[tile].end(),
                  [&](const Copy& a, const Copy& b) { return distance(a) < distance(b); });
        direct[tile].insert(direct[tile].end(), added[tile].begin(), added[tile].end());
    }
}

void load_programs(const std::vector<TileExchange>& exchanges, Platform& platform)
{
    for (unsigned tile = 0; tile < platform.tiles(); ++tile) {
        std::vector<CopyDescriptor> program(1);
        for (const TileExchange& exchange : exchanges)
            for (const std::vector<Copy>& step : exchange.steps) {
                CopyDescriptor& descriptor = program.emplace_back();
                for (const Copy& copy : step)
                    if (copy.from == tile)
                        descriptor = {copy.source, address_in(copy.to, copy.destination), copy.bytes};
            }
        const std::size_t bytes = program.size() * sizeof(CopyDescriptor);
        if (program_offset + bytes > scratch_offset)
            throw std::invalid_argument(
                fmt::format("DMA programs of {} bytes, {} at most", bytes, scratch_offset - program_offset));
        std::memcpy(platform.memory(tile).data() + program_offset, program.data(), bytes);
    }
}

void take_part(Cpu& processor, const std::vector<TileExchange>& exchanges, std::size_t which,
               Communication communication)
{
    const TileExchange& exchange = exchanges[which];
    processor.begin_phase(exchange.name);
    if (communication == Communication::schedule) {
        processor.run_engine(DmaCommand::program, program_of(exchanges, which), 0, exchange.steps.size());
    } else {
        std::vector<Copy> copies = exchange.direct[processor.tile()];
        if (communication == Communication::in_order)
            std::stable_sort(copies.begin(), copies.end(),
                             [](const Copy& a, const Copy& b) { return a.to < b.to; });
        for (const Copy& copy : copies)
            if (communication == Communication::writes)
                write_bursts(processor, copy);
            else
                processor.run_engine(DmaCommand::copy, copy.source, address_in(copy.to, copy.destination),
                                     copy.bytes);
        // An empty step: a write has arrived when it is answered, so that behind the barrier all have.
        processor.run_engine(DmaCommand::program, program_offset, 0, 1);
    }
    processor.end_phase();
}

} // namespace nocturne::soc_platform
