#include "sim/page/recording.hpp"

#include "models/network/link_plan.hpp"
#include "models/text/json_text.hpp"
#include "models/topology/indices_by.hpp"
#include "models/topology/json_format.hpp"
#include "sim/page/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Ends of the links behind the channels.
struct LinkEnds {
    Numbers sources;
    Numbers targets;
};

LinkEnds ends_of_links(const Topology& topology, const LinkPlan& plan)
{
    LinkEnds ends;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned link = 0; link < plan.injection_links(id); ++link) {
            ends.sources.push_back(page_node(topology, id));
            ends.targets.push_back(topology.processor(id).injection);
        }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned link = 0; link < plan.ejection_links(id); ++link) {
            ends.sources.push_back(topology.processor(id).ejection);
            ends.targets.push_back(page_node(topology, id));
        }
    return ends;
}

struct RecordedMessages {
    Numbers sources, destinations, steps;
    Numbers of_hold; ///< by hold of the run
};

/// Messages of the same ends and step are told apart by their holds of injection links.
RecordedMessages messages_of(const RunResult& run, const Topology& topology, const LinkEnds& ends)
{
    RecordedMessages messages;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> current;
    const auto routers = static_cast<std::uint32_t>(topology.router_count());
    for (const ChannelOccupancy& hold : run.occupancy) {
        const std::size_t own = hold.link - topology.channel_count(); // of the links behind the channels
        const bool is_own = hold.link >= topology.channel_count();
        const bool injects = is_own && ends.sources[own] >= routers;
        const auto [found, is_new] = current.try_emplace({hold.message, hold.step},
                                                         static_cast<std::uint32_t>(messages.sources.size()));
        if (!is_new && injects)
            found->second = static_cast<std::uint32_t>(messages.sources.size());
        if (found->second == messages.sources.size()) {
            messages.sources.push_back(0);
            messages.destinations.push_back(0);
            messages.steps.push_back(hold.step);
        }
        if (injects)
            messages.sources[found->second] = ends.sources[own];
        else if (is_own)
            messages.destinations[found->second] = ends.targets[own];
        messages.of_hold.push_back(found->second);
    }
    return messages;
}

nlohmann::ordered_json run_json(const RecordedRun& recorded, const Topology& topology,
                                const HardwareConfig& hardware, const LinkEnds& ends)
{
    const RunResult& run = recorded.run;
    const RecordedMessages messages = messages_of(run, topology, ends);
    const std::vector<std::uint32_t> order = indices_by(run.occupancy.size(), [&](std::uint32_t hold) {
        return std::pair(messages.of_hold[hold], run.occupancy[hold].begin_ns);
    });
    const auto cycle_of = [&](double ns) { return std::llround(ns / hardware.cycle_ns); };
    nlohmann::ordered_json holds{{"message", nlohmann::ordered_json::array()},
                                 {"link", nlohmann::ordered_json::array()},
                                 {"begin_cycle", nlohmann::ordered_json::array()},
                                 {"end_cycle", nlohmann::ordered_json::array()}};
    for (const std::uint32_t index : order) {
        const ChannelOccupancy& hold = run.occupancy[index];
        holds["message"].push_back(messages.of_hold[index]);
        holds["link"].push_back(hold.link);
        holds["begin_cycle"].push_back(cycle_of(hold.begin_ns));
        holds["end_cycle"].push_back(cycle_of(hold.end_ns));
    }
    return {
        {"name", recorded.name},
        {"length_cycles", cycle_of(run.time_ns)},
        {"stall", run.stall},
        {"messages",
         {{"source", messages.sources}, {"destination", messages.destinations}, {"step", messages.steps}}},
        {"holds", std::move(holds)}};
}

/// Numbers below a limit.
Numbers numbers_of(const nlohmann::json& list, std::size_t limit)
{
    auto numbers = list.get<Numbers>();
    if (std::ranges::any_of(numbers, [&](std::uint32_t number) { return number >= limit; }))
        throw std::runtime_error("number out of range");
    return numbers;
}

Movie movie_of_run(const nlohmann::json& run, const Topology& topology, const LinkEnds& ends)
{
    const std::size_t nodes = topology.router_count() + topology.processor_count();
    Movie movie;
    movie.name = run.at("name").get<std::string>();
    movie.unit = "cycle";
    movie.length = run.at("length_cycles").get<double>();
    const nlohmann::json& messages = run.at("messages");
    movie.sources = numbers_of(messages.at("source"), nodes);
    movie.destinations = numbers_of(messages.at("destination"), nodes);
    movie.in_step = messages.at("step").get<Numbers>();
    const nlohmann::json& holds = run.at("holds");
    const Numbers of_hold = numbers_of(holds.at("message"), movie.sources.size());
    movie.links = numbers_of(holds.at("link"), topology.channel_count() + ends.sources.size());
    movie.hold_begins = holds.at("begin_cycle").get<Numbers>();
    movie.hold_ends = holds.at("end_cycle").get<Numbers>();
    const std::size_t count = movie.sources.size(), hops = movie.links.size();
    if (movie.destinations.size() != count || movie.in_step.size() != count || of_hold.size() != hops ||
        movie.hold_begins.size() != hops || movie.hold_ends.size() != hops ||
        !std::ranges::is_sorted(of_hold))
        throw std::runtime_error("lists of different lengths, or holds out of order");
    movie.hops.resize(count);
    movie.begins.assign(count, 0);
    movie.ends.assign(count, 0);
    for (std::size_t hold = 0; hold < hops; ++hold) {
        const std::uint32_t message = of_hold[hold];
        const auto begin = static_cast<float>(movie.hold_begins[hold]);
        const auto end = static_cast<float>(movie.hold_ends[hold]);
        if (movie.hops[message]++ == 0)
            movie.begins[message] = begin;
        movie.ends[message] = std::max(movie.ends[message], end);
        movie.length = std::max(movie.length, static_cast<double>(end));
    }
    for (std::uint32_t& step : movie.in_step) {
        movie.steps = std::max(movie.steps, step);
        step -= step == 0 ? 0 : 1;
    }
    movie.chunks.resize(count);
    std::iota(movie.chunks.begin(), movie.chunks.end(), 0U);
    movie.adds.assign(count, 0);
    movie.link_sources = ends.sources;
    movie.link_targets = ends.targets;
    movie.extra["stall"] = run.at("stall");
    if (run.contains("failed")) {
        movie.extra["failed"] = numbers_of(run.at("failed"), topology.channel_count());
        movie.extra["failed_from"] = run.at("failed_from_cycle").get<double>();
    }
    return movie;
}

} // namespace

nlohmann::ordered_json recording_json(const Topology& topology, const HardwareConfig& hardware,
                                      PortModel ports, std::span<const RecordedRun> runs)
{
    const LinkEnds ends = ends_of_links(topology, LinkPlan(topology, hardware, ports, {}));
    nlohmann::ordered_json recording{{"network", ordered_json_from_text(to_json(topology))},
                                     {"link_source", ends.sources},
                                     {"link_target", ends.targets},
                                     {"runs", nlohmann::ordered_json::array()}};
    for (const RecordedRun& run : runs)
        recording["runs"].push_back(run_json(run, topology, hardware, ends));
    return recording;
}

Recording read_recording(const nlohmann::json& recording, std::string_view origin)
{
    try {
        Recording result{topology_from_json(json_text(recording.at("network")), origin), {}};
        const Topology& topology = result.topology;
        const std::size_t nodes = topology.router_count() + topology.processor_count();
        const LinkEnds ends{numbers_of(recording.at("link_source"), nodes),
                            numbers_of(recording.at("link_target"), nodes)};
        if (ends.sources.size() != ends.targets.size())
            throw std::runtime_error("lists of different lengths");
        for (const nlohmann::json& run : recording.at("runs"))
            result.movies.push_back(movie_of_run(run, topology, ends));
        return result;
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: its recording cannot be read: {}", origin, error.what()));
    }
}

} // namespace nocturne
