#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/engines.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <stdexcept>

namespace nocturne::objective_engines_test {

namespace {

ChunkRequest request_for(CollectiveKind kind, std::uint32_t processors, ChunkObjective objective)
{
    ChunkRequest request;
    request.of_parts = [=](std::uint32_t parts) {
        return make_collective(kind, {.processors = processors, .parts = parts});
    };
    request.parts = 1;
    request.objective = objective;
    request.budget = std::chrono::seconds(20);
    return request;
}

} // namespace

TEST_CASE("every engine alone, and none is better than all together", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:4"));
    const Topology topology = make_topology("ring:4");
    const auto kind =
        GENERATE(CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::allreduce);
    const auto objective = GENERATE(ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time);
    INFO(to_string(kind) << " for " << to_string(objective));
    ChunkRequest request = request_for(kind, 4, objective);
    request.topology = &topology;
    const Collective one = request.of_parts(1);
    const auto all = engines_for(network, request, one);
    const ChunkFinding best = find_chunked_schedule(network, request).value();
    CHECK(std::ranges::any_of(all, [&](const auto* engine) { return engine->name == best.engine; }));
    for (const Engine& engine : engines()) {
        if (engine.by_objective == nullptr)
            continue;
        INFO(engine.name);
        request.engine = engine.name;
        if (!engine.by_objective->suits(network, request, one)) {
            CHECK_THROWS_AS(find_chunked_schedule(network, request), std::invalid_argument);
            continue;
        }
        // They may have nothing in one chunk, or nothing without barriers.
        if (engine.by_objective->turn == EngineTurn::first || engine.name == "halves" ||
            (engine.name == "exact" && objective == ChunkObjective::time))
            continue;
        const ChunkFinding alone = find_chunked_schedule(network, request).value();
        CHECK(alone.engine == engine.name);
        const auto value = [&](const ChunkFinding& found) {
            return objective == ChunkObjective::time    ? found.cycles
                   : objective == ChunkObjective::steps ? count_steps(found.schedule)
                                                        : static_cast<double>(count_rounds(found.schedule));
        };
        CHECK(value(best) <= value(alone));
    }
    request.engine = "oracle";
    CHECK_THROWS_AS(engines_for(network, request, one), std::invalid_argument);
}

TEST_CASE("all-to-all in one chunk keeps every link of a torus busy", "[chunks][portfolio]")
{
    const auto [spec, processors, rounds] = GENERATE(table<std::string, std::uint32_t, std::uint64_t>(
        {{"torus:4x4", 16, 8}, {"torus:6x6", 36, 27}, {"ring:9", 9, 10}, {"hypercube:5", 32, 16}}));
    const Topology topology = make_topology(spec);
    ChunkRequest request = request_for(CollectiveKind::alltoall, processors, ChunkObjective::bandwidth);
    request.topology = &topology;
    const ChunkFinding found = find_chunked_schedule(link_network_of(topology), request).value();
    INFO(spec);
    CHECK(count_rounds(found.schedule) == rounds);
    CHECK(found.end == EndReason::at_bound);
}

} // namespace nocturne::objective_engines_test
