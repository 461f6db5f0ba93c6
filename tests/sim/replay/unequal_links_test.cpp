// Times on networks whose switches have links of unequal width: those of the model, of the engines, of the
// bounds and of the simulation are the same.
#include "models/routing/random.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/chunk_times.hpp"
#include "sim/replay/replay.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nocturne::unequal_links_test {

namespace {

/// Networks of processors at switches.
class NetworkDraw {
public:
    NetworkDraw(SplitMix64& random, const std::array<unsigned, 5>& widths) : random_(random), widths_(widths)
    {
    }

    Topology draw()
    {
        switch (random_.below(4)) {
        case 0:
            return leaves(1);
        case 1:
            return leaves(2 + random_.below(2)); // several spines
        case 2:
            return boxes();
        default:
            return tree();
        }
    }

private:
    unsigned width() { return widths_[random_.below(5)]; }

    void join(RouterId a, RouterId b, unsigned width)
    {
        const unsigned latency = 1 + random_.below(20);
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
            topology_.add_channel(
                {.source = from, .target = to, .latency_cycles = latency, .width_bytes = width});
    }

    RouterId processor()
    {
        const RouterId router = topology_.add_router("p" + std::to_string(topology_.processor_count()));
        topology_.add_processor(router);
        return router;
    }
    RouterId switching() { return topology_.add_router("s" + std::to_string(topology_.router_count())); }

    /// Leaves of equal processors, each with a link to each of the spines: oversubscribed, even, or too wide.
    Topology leaves(unsigned spines)
    {
        const unsigned down = width(), up = width(), each = 2 + random_.below(3);
        std::vector<std::vector<RouterId>> hosts(2 + random_.below(2));
        for (auto& leaf : hosts)
            for (unsigned i = 0; i < each; ++i)
                leaf.push_back(processor());
        std::vector<RouterId> tops;
        for (unsigned i = 0; i < spines; ++i)
            tops.push_back(switching());
        for (const auto& leaf : hosts) {
            const RouterId router = switching();
            for (const RouterId host : leaf)
                join(host, router, down);
            for (const RouterId top : tops)
                join(router, top, up);
        }
        return std::move(topology_);
    }

    /// Boxes with a wide switch inside, and for each processor a narrower link to a switch of its rail, or
    /// for the whole box one link out.
    Topology boxes()
    {
        const unsigned inside = 50U << 2 * random_.below(2), outside = width(), each = 2 + random_.below(3);
        const bool has_rails = random_.below(2) == 0;
        std::vector<std::vector<RouterId>> hosts(2 + random_.below(2));
        for (auto& box : hosts)
            for (unsigned i = 0; i < each; ++i)
                box.push_back(processor());
        std::vector<RouterId> rails;
        for (unsigned i = 0; i < (has_rails ? each : 1); ++i)
            rails.push_back(switching());
        for (const auto& box : hosts) {
            const RouterId router = switching();
            for (unsigned i = 0; i < each; ++i) {
                join(box[i], router, inside);
                if (has_rails)
                    join(box[i], rails[i], outside);
            }
            if (!has_rails)
                join(router, rails.front(), outside);
        }
        return std::move(topology_);
    }

    /// Of switches, with links of any width, and processors at any of them.
    Topology tree()
    {
        const unsigned processors = 3 + random_.below(6);
        for (unsigned i = 0; i < processors; ++i)
            processor();
        std::vector<RouterId> switches{switching()};
        for (unsigned more = 1 + random_.below(3); more > 0; --more) {
            const RouterId under = switches[random_.below(static_cast<std::uint32_t>(switches.size()))];
            switches.push_back(switching());
            join(switches.back(), under, width());
        }
        for (RouterId host = 0; host < processors; ++host)
            join(host, switches[host % switches.size()], width());
        return std::move(topology_);
    }

    SplitMix64& random_;
    std::array<unsigned, 5> widths_;
    Topology topology_{"unequal"};
};

bool has_equal_links(const Topology& topology)
{
    return std::ranges::all_of(topology.channels(), [&](const Channel& channel) {
        return channel.width_bytes == topology.channel(0).width_bytes;
    });
}

Collective draw_collective(SplitMix64& random, std::uint32_t processors)
{
    const CollectiveShape shape{.processors = processors};
    switch (random.below(6)) {
    case 0:
        return alltoall(shape);
    case 1:
        return allgather(shape);
    case 2:
        return allreduce(shape);
    case 3:
        return reduce_scatter(shape);
    case 4:
        return broadcast(shape, random.below(processors));
    default: {
        std::vector<std::uint32_t> image(processors);
        for (std::uint32_t p = 0; p < processors; ++p)
            image[p] = (p + processors / 2) % processors;
        return permutation(image);
    }
    }
}

} // namespace

TEST_CASE("schedules on unequal links take what the model, the bounds and both levels of the simulation say",
          "[replay][chunks][unequal]")
{
    // Widths of which each divides the next one but for 4 and 50. Of the others several fit a link with
    // something left over or to the last byte: until buffers behind narrower links are full, messages take
    // equal turns on a link and not in proportion to their rates, and at the message level a share that was
    // lost for some cycles can be lost for the whole message. Few are late by some per cent.
    const auto [widths, most_late_flits] = GENERATE(table<std::array<unsigned, 5>, double>(
        {{{1U, 2U, 4U, 50U, 200U}, 0.01}, {{12U, 24U, 40U, 48U, 100U}, 0.04}}));
    constexpr double most_late_messages = 0.04; // an all-reduce over 4 and 50 is 2.7 % late, its flits 0.1 %
    const std::size_t cases = test::is_nightly() ? 50 : 16;
    std::vector<Job> jobs;
    for (std::uint64_t seed = 1; jobs.size() < cases; ++seed) {
        SplitMix64 random(seed);
        const Topology topology = NetworkDraw(random, widths).draw();
        if (has_equal_links(topology))
            continue;
        const bool has_flits = test::is_nightly() || jobs.empty();
        jobs.emplace_back([seed, random, topology, has_flits]() mutable {
            const LinkNetwork network = link_network_of(topology);
            const std::uint32_t parts = 1 + random.below(2);
            ChunkProblem problem{.network = network,
                                 .collective = draw_collective(random, network.processor_count()),
                                 .parts = parts,
                                 .objective = ChunkObjective::time,
                                 .topology = topology};
            // So that a chunk takes 20,000 cycles at 50 bytes a cycle: latencies are little beside it.
            problem.bytes = 1e6 * parts * static_cast<double>(largest_contribution(problem.collective));
            const PortfolioResult found = find_schedule(problem, {.workers = 1});
            const Schedule& schedule = *found.schedule;
            SimulationOptions options;
            options.hardware = {
                .cycle_ns = 1, .flit_bytes = flit_bytes_wanted(network, 200), .t0_ns = 0, .buffer_flits = 0};
            options.scales_vcs = true;
            options.message_bytes = static_cast<std::uint64_t>(found.cost.bytes_per_weight);
            options = fitted_to(schedule, topology, options);
            nlohmann::json result{{"seed", seed},
                                  {"collective", to_string(problem.collective.kind)},
                                  {"claimed", found.cycles},
                                  {"cycles", time_of(schedule, network, found.cost)},
                                  {"bound", found.bounds.cycles->cycles},
                                  {"refuted", refutations(found.bounds, network, schedule.collective)},
                                  {"violations", validate(schedule, network).size()},
                                  {"vcs", options.hardware.vcs},
                                  {"ports", to_string(options.ports)}};
            for (const NetworkModel model : {NetworkModel::worm, NetworkModel::flit}) {
                if (model == NetworkModel::flit && !has_flits)
                    continue;
                options.model = model;
                const RunResult run = replay(schedule, topology, Synchronization::barrier, options).run;
                result["replays"].push_back(run.memory_ok ? run.time_ns : -1);
            }
            // Chunks that are short beside the latencies, which hold what they take of their links.
            const AlphaBeta held{.bytes_per_weight = 1000, .latency_holds_link = true};
            const Bounds bounds = best_chunk_bounds(network, schedule.collective, held);
            result["held bound"] = bounds.cycles->cycles;
            result["held"] = time_of(schedule, network, held);
            return result;
        });
    }
    std::size_t shared = 0, late = 0;
    for (const nlohmann::json& result : run_jobs(jobs, {.workers = 2})) {
        INFO(result.dump());
        const double cycles = result["cycles"];
        CHECK(result["violations"] == 0);
        CHECK(result["refuted"].empty());
        CHECK(result["claimed"] == cycles);
        CHECK(result["bound"] <= cycles);
        CHECK(result["held bound"] <= result["held"]);
        const std::vector<double> replays = result["replays"]; // at the message level, with flits
        for (const double replay : replays) {
            CHECK(replay >= cycles * 0.99);
            late += replay > cycles * 1.01 ? 1 : 0;
        }
        CHECK(replays.front() <= cycles * (1 + most_late_messages));
        if (replays.size() > 1)
            CHECK(replays.back() <= cycles * (1 + most_late_flits));
        shared += result["vcs"] > 2;
    }
    CHECK(shared * 10 >= cases);
    CHECK(late <= cases / 10 + 1);
}

TEST_CASE("engines find schedules that share wide links", "[replay][chunks][unequal]")
{
    // Four processors at each of two switches, by links of 50 bytes a cycle, one of 200 between the switches.
    LinkNetwork network("wide uplink", 8);
    const NodeId first = network.add_switch(NodeKind::plain_switch, "A");
    const NodeId second = network.add_switch(NodeKind::plain_switch, "B");
    for (NodeId node = 0; node < 8; ++node)
        network.add_links(node, node < 4 ? first : second, 50, 10);
    network.add_links(first, second, 200, 10);
    ChunkProblem problem{.network = network,
                         .collective = permutation({4, 5, 6, 7, 0, 1, 2, 3}),
                         .objective = ChunkObjective::time};
    CHECK(find_schedule(problem, {.workers = 1}).cycles == Approx(1048576.0 / 50 + 30));
    problem.collective = alltoall({.processors = 8});
    const double in_time = find_schedule(problem, {.workers = 1}).cycles;
    problem.objective = ChunkObjective::bandwidth;
    CHECK(in_time <= find_schedule(problem, {.workers = 1}).cycles);
}

TEST_CASE("messages that come over a wide link take turns on the narrow ones behind it",
          "[replay][chunks][unequal]")
{
    Topology topology("wide uplink");
    for (unsigned i = 0; i < 8; ++i)
        topology.add_processor(topology.add_router("p" + std::to_string(i)));
    const RouterId first = topology.add_router("A"), second = topology.add_router("B");
    const auto join = [&](RouterId a, RouterId b, unsigned width) {
        topology.add_channel({.source = a, .target = b, .latency_cycles = 10, .width_bytes = width});
        topology.add_channel({.source = b, .target = a, .latency_cycles = 10, .width_bytes = width});
    };
    for (RouterId router = 0; router < 8; ++router)
        join(router, router < 4 ? first : second, 50);
    join(first, second, 200);
    const ChunkProblem problem{.network = link_network_of(topology),
                               .collective = allreduce({.processors = 8}),
                               .parts = 8,
                               .objective = ChunkObjective::time};
    const PortfolioResult found = find_schedule(problem, {.engine = "time", .workers = 1});
    std::vector<Job> jobs;
    for (const unsigned vcs :
         {4U, 8U}) // of which one that is not served holds a message to the end of others
        jobs.emplace_back([&topology, &found, vcs] {
            SimulationOptions options;
            options.hardware = {.cycle_ns = 1, .flit_bytes = 200, .t0_ns = 0, .buffer_flits = 0, .vcs = vcs};
            options.message_bytes = static_cast<std::uint64_t>(found.cost.bytes_per_weight);
            const ReplayResult result = replay(*found.schedule, topology, Synchronization::barrier, options);
            return nlohmann::json(result.run.time_ns / *result.unblocked_ns);
        });
    for (const nlohmann::json& late : run_jobs(jobs, {.workers = 2}))
        CHECK(late < 1.01);
}

TEST_CASE("flits are as wide as all links carry in whole cycles", "[replay][chunks][unequal]")
{
    const auto wanted = [](const std::vector<std::uint64_t>& widths, unsigned least) {
        LinkNetwork network("links", 2);
        for (const std::uint64_t width : widths)
            network.add_link({0, 1, width, 1});
        return flit_bytes_wanted(network, least);
    };
    CHECK(wanted({1, 2, 4, 50, 200}, 4) == 200);
    CHECK(wanted({48, 100}, 4) == 1200);
    CHECK(wanted({3}, 4) == 6);
    CHECK(wanted({4}, 4) == 4);
    CHECK(wanted({}, 4) == 4);
    CHECK(wanted({5000}, 4) == 5000); // which hardware refuses
}

} // namespace nocturne::unequal_links_test
