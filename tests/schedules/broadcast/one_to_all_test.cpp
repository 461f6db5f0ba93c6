#include "models/routing/paths.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/broadcast/one_to_all.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/broadcast/random_broadcasts.hpp"

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nocturne::one_to_all_test {

using nocturne::test::NetworkSize;
using nocturne::test::random_broadcast;

namespace {

/// Is there a proof that no schedule has so few steps?
bool is_impossible(const Problem& problem, unsigned steps)
{
    return infeasibility_bound(problem, steps, {}).verdict == Verdict::unsatisfiable;
}

Problem one_to_all(const std::string& network, std::uint32_t source, std::vector<std::string> faults = {})
{
    Topology topology = with_faults(make_topology(network), faults);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), broadcast({processors}, source));
}

/// First text of what the validator finds, or nothing.
std::string defect(const Problem& problem, const SearchResult& result, unsigned steps)
{
    if (!result.schedule)
        return "no schedule";
    if (result.schedule->steps.size() > steps)
        return "too many steps";
    const auto violations = validate(*result.schedule, problem.topology);
    return violations.empty() ? std::string() : violations.front().text;
}

/// All sets that one step can make of a set of processors that have the message: by trying every path for
/// every processor.
class AllSteps {
public:
    explicit AllSteps(const Problem& problem) : problem_(problem)
    {
        const auto processors = static_cast<ProcessorId>(problem.topology.processor_count());
        for (ProcessorId source = 0; source < processors; ++source)
            for (ProcessorId destination = 0; destination < processors; ++destination) {
                PathEnumerator paths(problem.topology, source, destination, 100);
                while (auto path = paths.next())
                    if (source != destination &&
                        (problem.switching == Switching::wormhole || path->size() <= 1))
                        ways_[destination].push_back({source, *path});
            }
    }

    std::set<unsigned> from(unsigned informed)
    {
        result_.clear();
        informed_ = informed;
        sent_.assign(problem_.topology.processor_count(), 0);
        used_.assign(problem_.topology.channel_count(), false);
        extend(0, informed);
        return result_;
    }

private:
    struct CandidatePath {
        ProcessorId source;
        Path path;
    };

    void extend(ProcessorId next, unsigned after)
    {
        if (next == problem_.topology.processor_count()) {
            result_.insert(after);
            return;
        }
        extend(next + 1, after);
        if ((informed_ >> next & 1) != 0)
            return;
        for (const CandidatePath& way : ways_[next]) {
            const bool free =
                std::none_of(way.path.begin(), way.path.end(), [&](ChannelId c) { return used_[c]; });
            const unsigned ports = send_ports(problem_.topology, way.source, problem_.ports);
            if (!free || (informed_ >> way.source & 1) == 0 || sent_[way.source] == ports)
                continue;
            mark(way, true);
            ++sent_[way.source];
            extend(next + 1, after | 1u << next);
            --sent_[way.source];
            mark(way, false);
        }
    }
    void mark(const CandidatePath& way, bool used)
    {
        for (const ChannelId channel : way.path)
            used_[channel] = used;
    }

    const Problem& problem_;
    std::map<ProcessorId, std::vector<CandidatePath>> ways_;
    unsigned informed_ = 0;
    std::vector<unsigned> sent_;
    std::vector<bool> used_;
    std::set<unsigned> result_;
};

unsigned fewest_steps(const Problem& problem)
{
    const Message& message = problem.collective.messages().front();
    unsigned wanted = 0;
    for (const ProcessorId receiver : message.receivers)
        wanted |= 1u << receiver;
    AllSteps step(problem);
    std::set<unsigned> sets{1u << message.origin};
    for (unsigned steps = 0;; ++steps) {
        std::set<unsigned> next;
        for (const unsigned set : sets) {
            if ((set & wanted) == wanted)
                return steps;
            next.merge(step.from(set));
        }
        sets = std::move(next);
    }
}

} // namespace

TEST_CASE("broadcasts from one processor take the fewest steps", "[broadcast][one_to_all]")
{
    const std::string network = GENERATE(
        values<std::string>({"omega:16 4", "butterfly:8 3", "clos:3,3,4 4", "fattree:32 5", "btree:32 5",
                             "hypercube:3 2", "hypercube:5 2", "hypercube:7 3", "octagon:8 2", "kautz:3,2 2",
                             "mesh:4x4 3", "coated_mesh:4x4 4", "fbtree:63 5"}));
    const auto space = network.find(' ');
    const auto steps = static_cast<unsigned>(std::stoul(network.substr(space)));
    const Problem problem = one_to_all(network.substr(0, space), 0);
    CAPTURE(network);
    CHECK(defect(problem, search_one_to_all(problem, steps, {}), steps) == "");
}

TEST_CASE("the full binary tree's broadcasts: proven optima by level", "[broadcast][one_to_all]")
{
    // Sources from the root to a leaf.
    const auto [network, source, steps] = GENERATE(table<std::string, std::uint32_t, unsigned>({
        {"fbtree:7", 0, 2},
        {"fbtree:7", 1, 2},
        {"fbtree:7", 3, 3},
        {"fbtree:15", 0, 3},
        {"fbtree:15", 1, 3},
        {"fbtree:15", 3, 3},
        {"fbtree:15", 7, 3},
        {"fbtree:31", 30, 4},
    }));
    CAPTURE(network, source);
    const Problem problem = one_to_all(network, source);
    CHECK(defect(problem, search_one_to_all(problem, steps, {}), steps) == "");
    CHECK(is_impossible(problem, steps - 1));
    const SearchResult fewer = search_one_to_all(problem, steps - 1, {.effort = 1'000});
    CHECK(fewer.outcome == Outcome::gave_up);
    CHECK_FALSE(fewer.schedule);
    CHECK(fewer.unscheduled > 0);
}

TEST_CASE("broken arcs of the Kautz digraph cost the broadcast a step where they leave the source",
          "[broadcast][one_to_all]")
{
    const auto [fault, steps] = GENERATE(table<std::string, unsigned>(
        {{"channel:01-10", 3}, {"channel:01-13", 3}, {"channel:02-20", 2}, {"channel:12-20", 2}}));
    const Problem problem = one_to_all("kautz:3,2", 0, {fault});
    CAPTURE(fault);
    CHECK(defect(problem, search_one_to_all(problem, steps, {}), steps) == "");
    CHECK(is_impossible(problem, steps - 1));
}

TEST_CASE("any single fault leaves the mesh its broadcast in three steps", "[broadcast][one_to_all]")
{
    const std::string fault =
        GENERATE("link:00-01", "link:01-02", "link:11-12", "node:01", "node:11", "node:33");
    const Problem problem = one_to_all("mesh:4x4", 0, {fault});
    CAPTURE(fault);
    CHECK(defect(problem, search_one_to_all(problem, 3, {}), 3) == "");
}

TEST_CASE("a store-and-forward broadcast floods the network", "[broadcast][one_to_all]")
{
    Problem problem = one_to_all("mesh:4x4", 0);
    problem.switching = Switching::store_and_forward;
    problem.ports = GENERATE(PortModel(one_port), PortModel(all_port));
    CHECK(defect(problem, search_one_to_all(problem, 6, {}), 6) == "");
    CHECK(is_impossible(problem, 5));
}

TEST_CASE("no search through all steps does better on small networks", "[broadcast][one_to_all]")
{
    unsigned compared = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        Problem problem = random_broadcast(seed, NetworkSize{2 + static_cast<unsigned>(seed % 4), 1});
        problem.slack.reset();
        if (!suits_one_to_all(problem) || problem.topology.processor_count() > 6)
            continue;
        CAPTURE(seed, describe(problem));
        const unsigned steps = fewest_steps(problem);
        REQUIRE(defect(problem, search_one_to_all(problem, steps, {.seed = seed}), steps) == "");
        ++compared;
    }
    CHECK(compared > 25);
}

TEST_CASE("every broadcast of one message found on random networks is valid", "[broadcast][one_to_all]")
{
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Problem problem = random_broadcast(
            seed, NetworkSize{3 + static_cast<unsigned>(seed % 12), static_cast<unsigned>(seed % 6)});
        if (!suits_one_to_all(problem))
            continue;
        CAPTURE(seed, describe(problem));
        for (unsigned steps = static_cast<unsigned>(problem.topology.processor_count()); steps > 0; --steps) {
            const SearchResult result = search_one_to_all(problem, steps, {.seed = seed, .effort = 2'000});
            if (result.outcome != Outcome::found)
                break;
            REQUIRE(defect(problem, result, steps) == "");
            if (!problem.slack)
                continue;
            for (const Step& step : result.schedule->steps)
                for (const Transfer& transfer : step) {
                    const auto ends = endpoints(problem.topology, transfer.source, transfer.destination);
                    const auto distance = distances_from(problem.topology, ends.source)[ends.destination];
                    REQUIRE(transfer.path->size() <= distance + *problem.slack);
                }
        }
    }
}

TEST_CASE("a multicast is passed on by processors that it is not for", "[broadcast][one_to_all]")
{
    // One hop a step: everybody between the source and the two ends helps.
    Problem problem = make_problem(make_topology("mesh:1x9"), multicast({9}, 4, {0, 8}));
    problem.switching = Switching::store_and_forward;
    CHECK(defect(problem, search_one_to_all(problem, 4, {}), 4) == "");
    CHECK(is_impossible(problem, 3));
}

TEST_CASE("the same seed gives the same broadcast of one message", "[broadcast][one_to_all]")
{
    const Problem problem = one_to_all("hypercube:5", 3);
    const SearchResult first = search_one_to_all(problem, 2, {.seed = 5});
    REQUIRE(first.schedule);
    CHECK(first.schedule == search_one_to_all(problem, 2, {.seed = 5}).schedule);
    CHECK(first.schedule != search_one_to_all(problem, 2, {.seed = 6}).schedule);
}

TEST_CASE("a search for a broadcast of one message stops when it is told to", "[broadcast][one_to_all]")
{
    const Problem problem = one_to_all("fbtree:63", 0); // in 4 steps: a long search
    const SearchResult spent = search_one_to_all(problem, 4, {.effort = 1'000});
    CHECK(spent.outcome == Outcome::gave_up);
    CHECK(spent.tried == 1'000);
    std::atomic<bool> stop{true};
    CHECK(search_one_to_all(problem, 4, {.end = {.stop = &stop}}).tried == 0);
}

TEST_CASE("many messages are not for the search for one", "[broadcast][one_to_all]")
{
    const Problem problem = make_problem(make_topology("mesh:2x2"), allgather({4}));
    CHECK_FALSE(suits_one_to_all(problem));
    CHECK_THROWS_AS(search_one_to_all(problem, 4, {}), std::invalid_argument);
}

} // namespace nocturne::one_to_all_test
