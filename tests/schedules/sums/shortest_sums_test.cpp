// The fewest steps of all-reduce and scan on tiny networks, by trying all schedules.
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace nocturne::shortest_sums_test {

namespace {

constexpr std::size_t most_processors = 4;

/// By processor the contributions that it has, a bit each, of one message.
using State = std::array<std::uint8_t, most_processors>;

/// A transfer that a step can have.
struct Move {
    ProcessorId source;
    ProcessorId destination;
    std::uint64_t channels; ///< of its path, a bit each
    bool adds;
};

/// All paths without a router twice.
void paths_from(const Topology& topology, RouterId at, Path& path, std::vector<bool>& visited,
                const std::function<void(RouterId, const Path&)>& found)
{
    found(at, path);
    for (const ChannelId channel : topology.channels_from(at)) {
        const RouterId next = topology.channel(channel).target;
        if (visited[next])
            continue;
        visited[next] = true;
        path.push_back(channel);
        paths_from(topology, next, path, visited, found);
        path.pop_back();
        visited[next] = false;
    }
}

class Exhaustive {
public:
    explicit Exhaustive(const Problem& problem) : problem_(problem)
    {
        const Topology& topology = problem.topology;
        REQUIRE(topology.processor_count() <= most_processors);
        REQUIRE(topology.channel_count() <= 64);
        for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
            std::vector<bool> visited(topology.router_count());
            visited[topology.processor(source).injection] = true;
            Path path;
            paths_from(topology, topology.processor(source).injection, path, visited,
                       [&](RouterId at, const Path& way) {
                           for (ProcessorId to = 0; to < topology.processor_count(); ++to)
                               if (to != source && topology.processor(to).ejection == at)
                                   for (const bool adds : {false, true})
                                       moves_.push_back({source, to, bits_of(way), adds});
                       });
        }
    }

    /// Of at most `most` steps; most + 1 if none is.
    std::size_t fewest_steps(std::size_t most)
    {
        State start{};
        for (std::uint32_t id = 0; id < problem_.collective.processors; ++id)
            start[id] = static_cast<std::uint8_t>(1U << id);
        std::set<State> states{start}, seen = states;
        for (std::size_t steps = 0; steps <= most; ++steps) {
            std::set<State> next;
            for (const State& state : states) {
                if (is_over(state))
                    return steps;
                if (steps < most)
                    take_steps(state, [&](const State& after) {
                        if (seen.insert(after).second)
                            next.insert(after);
                    });
            }
            states = std::move(next);
        }
        return most + 1;
    }

private:
    static std::uint64_t bits_of(const Path& path)
    {
        std::uint64_t bits = 0;
        for (const ChannelId channel : path)
            bits |= std::uint64_t{1} << channel;
        return bits;
    }

    bool is_over(const State& state) const
    {
        for (const Demand& demand : problem_.collective.demands) {
            unsigned owed = 0;
            for (const std::uint32_t contributor : demand.contributors)
                owed |= 1U << contributor;
            if (state[demand.receiver] != owed)
                return false;
        }
        return true;
    }

    template <class Found>
    void take_steps(const State& before, Found found)
    {
        const Topology& topology = problem_.topology;
        std::uint64_t taken = 0;
        std::array<unsigned, most_processors> sent{}, received{};
        std::array<bool, most_processors> is_copied{};
        const auto go_on = [&](const auto& again, std::size_t first, const State& after) -> void {
            found(after);
            for (std::size_t i = first; i < moves_.size(); ++i) {
                const Move& move = moves_[i];
                if ((taken & move.channels) != 0 || is_copied[move.destination] ||
                    (!move.adds && received[move.destination] > 0) ||
                    (move.adds && (after[move.destination] & before[move.source]) != 0) ||
                    sent[move.source] == send_ports(topology, move.source, problem_.ports) ||
                    received[move.destination] == receive_ports(topology, move.destination, problem_.ports))
                    continue;
                taken |= move.channels;
                ++sent[move.source];
                ++received[move.destination];
                is_copied[move.destination] = !move.adds;
                State then = after;
                then[move.destination] = static_cast<std::uint8_t>(before[move.source] |
                                                                   (move.adds ? after[move.destination] : 0));
                again(again, i + 1, then);
                is_copied[move.destination] = false;
                --sent[move.source];
                --received[move.destination];
                taken &= ~move.channels;
            }
        };
        go_on(go_on, 0, before);
    }

    const Problem& problem_;
    std::vector<Move> moves_;
};

} // namespace

TEST_CASE("no bound of a sum is above the fewest steps, and these are found", "[sums][exhaustive]")
{
    const auto [text, ports] = GENERATE(table<std::string, unsigned>({{"ring:3", 1},
                                                                      {"ring:3", 2},
                                                                      {"mesh:1x3", 1},
                                                                      {"mesh:1x3", 2},
                                                                      {"star:3", 1},
                                                                      {"mesh:2x2", 1},
                                                                      {"mesh:1x4", 1}}));
    const CollectiveKind kind =
        GENERATE(CollectiveKind::reduce, CollectiveKind::allreduce, CollectiveKind::scan);
    CAPTURE(text, ports, to_string(kind));
    const Topology topology = make_topology(text);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Problem problem{topology,
                          make_collective(kind, CollectiveShape{processors},
                                          has_root(kind) ? std::optional<std::uint32_t>{0} : std::nullopt),
                          PortModel{ports}};
    PortfolioOptions options;
    options.workers = 1;
    options.budget = std::chrono::seconds(2);
    const PortfolioResult result = find_schedule(problem, options);
    REQUIRE(result.schedule);
    CHECK(objection_to(*result.schedule, problem) == std::nullopt);
    const std::size_t fewest = Exhaustive(problem).fewest_steps(result.schedule->steps.size());
    CHECK(result.bound().steps <= fewest);
    CHECK(fewest == result.schedule->steps.size());
}

} // namespace nocturne::shortest_sums_test
