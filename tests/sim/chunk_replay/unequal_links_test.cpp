// Times on networks whose switches have links of unequal width: those of the model, of the engines, of the
// bounds and of the simulation are the same.
#include "models/routing/random.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/chunk_replay/chunk_replay.hpp"
#include "tests/effort.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <utility>

namespace nocturne::unequal_links_test {

namespace {

/// Networks of processors at switches.
class NetworkDraw {
public:
    explicit NetworkDraw(SplitMix64& random) : random_(random) {}

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
    unsigned width() { return std::array{1U, 2U, 4U, 50U, 200U}[random_.below(5)]; }

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

    /// Boxes with a wide switch inside, and for each processor a narrower link to a switch of its rail, or for
    /// the whole box one link out.
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
    Topology topology_{"unequal"};
};

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

TEST_CASE("a link of many narrow flows: as the simulation has it", "[chunk_replay][unequal]")
{
    const std::size_t cases = test::is_nightly() ? 50 : 6;
    std::vector<Job> jobs;
    for (std::uint64_t seed = 1; seed <= cases; ++seed)
        jobs.emplace_back([seed] {
            SplitMix64 random(seed);
            const Topology topology = NetworkDraw(random).draw();
            const LinkNetwork network = link_network_of(topology);
            ChunkProblem problem{.network = network,
                                 .collective = draw_collective(random, network.processor_count()),
                                 .parts = 1 + random.below(2),
                                 .objective = ChunkObjective::time,
                                 .topology = topology};
            // A part takes 20,000 cycles at 50 bytes a cycle.
            problem.bytes = 1e6 * static_cast<double>(*problem.parts) *
                            static_cast<double>(largest_contribution(problem.collective));
            const PortfolioResult found = find_schedule(problem, {.workers = 1});
            const AlphaBeta cost = cost_of(problem, found.schedule->collective);
            const double cycles = time_of(*found.schedule, network, cost);
            const Bounds bounds = best_chunk_bounds(network, found.schedule->collective, cost);
            ChunkReplayOptions options;
            options.hardware = {.cycle_ns = 1, .flit_bytes = 200, .t0_ns = 0, .buffer_flits = 0};
            options.bytes_per_weight = static_cast<std::uint64_t>(cost.bytes_per_weight);
            const WantedHardware wanted = hardware_wanted(*found.schedule, topology, network, options);
            options.hardware.vcs = wanted.vcs;
            options.ports = wanted.ports;
            nlohmann::json result{{"cycles", cycles},
                                  {"bound", bounds.cycles->cycles},
                                  {"claimed", found.cycles},
                                  {"vcs", options.hardware.vcs},
                                  {"ports", to_string(options.ports)},
                                  {"what", to_string(problem.collective.kind)},
                                  {"violations", validate(*found.schedule, network).size()}};
            for (const NetworkModel model : {NetworkModel::worm, NetworkModel::flit}) {
                if (model == NetworkModel::flit && !test::is_nightly() && seed > 2)
                    continue;
                options.model = model;
                const ChunkReplayResult replay = replay_chunks(*found.schedule, topology, network, options);
                result[to_string(model)] = replay.time_ns;
                result["right"] = replay.memory_ok();
            }
            return result;
        });
    const auto results = run_jobs(jobs, {.workers = 2});
    for (std::size_t i = 0; i < results.size(); ++i)
        std::cerr << i + 1 << ": " << results[i].dump() << "\n";
}

} // namespace nocturne::unequal_links_test
