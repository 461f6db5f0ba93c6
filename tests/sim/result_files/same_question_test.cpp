// The same question has the same answer however it is asked: lower bounds and steps of pairs.
#include "models/topology/faults.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/topology_files.hpp"
#include "models/topology/turned.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/conversion/chunk_steps.hpp"
#include "schedules/conversion/step_chunks.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "sim/result_files/problem_text.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace nocturne::same_question_test {

namespace {

/// Direct ones, with switches, with one port.
const std::vector<std::string> networks{"ring:5", "mesh:2x3", "torus:3x3", "omega:4", "star:4"};

Problem ask(const std::string& network, const std::string& collective,
            const std::function<void(ProblemText&)>& with = {})
{
    ProblemText text;
    text.topology = network;
    text.collective = collective;
    if (with)
        with(text);
    return make_problem(text);
}

struct Answer {
    unsigned bound;
    std::optional<std::size_t> steps;

    friend bool operator==(const Answer&, const Answer&) = default;
};

std::ostream& operator<<(std::ostream& out, const Answer& answer)
{
    return out << answer.steps.value_or(0) << " steps, bound " << answer.bound;
}

Answer answer_to(const Problem& problem)
{
    PortfolioOptions options;
    options.budget = std::chrono::seconds(60);
    const PortfolioResult result = find_schedule(problem, options);
    return {result.bound.steps,
            result.schedule ? std::optional(result.schedule->steps.size()) : std::nullopt};
}

/// Of sums that several receive the bounds alone are compared: their schedules need not be at it, and how
/// long a search goes on depends on the machine.
void check_pair(const Problem& one, const Problem& other)
{
    CAPTURE(describe(one), describe(other));
    const Bound bound = lower_bound(one), other_bound = lower_bound(other);
    CAPTURE(bound.reason, other_bound.reason);
    CHECK(bound.steps == other_bound.steps);
    if (reduces(one.collective) && !is_copied_backwards(one))
        return;
    const Answer answer = answer_to(one);
    CHECK(answer.steps == answer.bound);
    CHECK(answer == answer_to(other));
}

std::string all_of(const std::string& network)
{
    return fmt::format("#0-#{}", topology_from(network).processor_count() - 1);
}

} // namespace

TEST_CASE("all processors are a group of all", "[result_files][same question]")
{
    const std::string network = GENERATE(from_range(networks));
    const std::string collective = GENERATE("broadcast", "scatter", "gather", "reduce", "allgather",
                                            "alltoall", "reduce-scatter", "allreduce", "scan");
    check_pair(ask(network, collective),
               ask(network, collective, [&](ProblemText& text) { text.group = all_of(network); }));
}

TEST_CASE("many to many is all to all, and a multicast to all is a broadcast",
          "[result_files][same question]")
{
    const std::string network = GENERATE(from_range(networks));
    const std::string all = all_of(network);
    const auto from_to = [&](const std::string& senders, const std::string& receivers) {
        return [=](ProblemText& text) {
            text.senders = senders;
            text.receivers = receivers;
        };
    };
    check_pair(ask(network, "alltoall"), ask(network, "MNS", from_to(all, all)));
    check_pair(ask(network, "allgather"), ask(network, "MNB", from_to(all, all)));
    check_pair(ask(network, "scatter"), ask(network, "MNS", from_to("#0", all)));
    check_pair(ask(network, "gather"), ask(network, "MNS", from_to(all, "#0")));
    check_pair(ask(network, "broadcast"), ask(network, "MNB", from_to("#0", all)));
    check_pair(ask(network, "broadcast"), ask(network, "multicast", [&](ProblemText& text) {
                   text.source = "#0";
                   text.receivers = all;
               }));
}

TEST_CASE("what comes together is what spreads, backwards", "[result_files][same question]")
{
    const std::string network = GENERATE(from_range(networks));
    const auto [forwards, backwards] =
        GENERATE(table<std::string, std::string>({{"scatter", "gather"},
                                                  {"broadcast", "reduce"},
                                                  {"allgather", "reduce-scatter"},
                                                  {"alltoall", "alltoall"}}));
    Problem other = ask(network, backwards);
    other.topology = turned(other.topology);
    check_pair(ask(network, forwards), other);
}

TEST_CASE("weights of 1 are no weights, and those of 0 leave out", "[result_files][same question]")
{
    const std::string network = GENERATE(from_range(networks));
    const std::size_t processors = topology_from(network).processor_count();
    const auto weights = [](std::size_t count, const std::function<bool(std::size_t)>& is_one) {
        return [=](ProblemText& text) {
            for (std::size_t i = 0; i < count; ++i)
                text.weights += fmt::format("{}{}", i == 0 ? "" : ",", is_one(i) ? 1 : 0);
        };
    };
    check_pair(ask(network, "allgather"),
               ask(network, "allgather", weights(processors, [](auto) { return true; })));
    const auto next = [=](std::size_t pair) {
        return pair % processors == (pair / processors + 1) % processors;
    };
    check_pair(ask(network, "permutation",
                   [&](ProblemText& text) {
                       for (std::size_t i = 0; i < processors; ++i)
                           text.image += fmt::format("{}#{}", i == 0 ? "" : ",", (i + 1) % processors);
                   }),
               ask(network, "alltoall", weights(processors * processors, next)));
}

TEST_CASE("a fault is one in an option or in the network's file", "[result_files][same question]")
{
    const test::TemporaryFolder folder;
    const auto [network, fault] = GENERATE(table<std::string, std::string>(
        {{"mesh:2x3", "link:00-01"}, {"torus:3x3", "node:11"}, {"octagon:8", "channel:0-1"}}));
    const std::string collective =
        GENERATE("broadcast", "allgather", "alltoall", "reduce-scatter", "allreduce");
    const std::vector<std::string> faults{fault};
    const std::string file = folder.file("net.json", to_json(with_faults(topology_from(network), faults)));
    const std::string whole = folder.file("whole.json", to_json(topology_from(network)));
    const Problem by_option = ask(network, collective, [&](ProblemText& text) { text.faults = faults; });
    check_pair(by_option, ask(file, collective));
    check_pair(by_option, ask(whole, collective, [&](ProblemText& text) { text.faults = faults; }));
}

TEST_CASE("hops with barriers are rounds of links that carry one chunk", "[result_files][same question]")
{
    const std::string network = GENERATE("ring:4", "ring:5", "ring:6", "mesh:2x3", "mesh:3x3", "torus:3x3",
                                         "octagon:8", "hypercube:3", "kautz:2,2", "complete:5");
    const std::string collective =
        GENERATE("broadcast", "scatter", "gather", "reduce", "allgather", "alltoall", "reduce-scatter");
    const Problem hops = ask(network, collective, [](ProblemText& text) {
        text.switching = "store-and-forward";
        text.ports = "all";
    });
    const ChunkClaims claims = best_chunk_claims(link_network_of(hops.topology), hops.collective,
                                                 AlphaBeta{.bytes_per_weight = 1}, ClaimScope::own_parts);
    REQUIRE(claims.steps);
    REQUIRE(claims.rounds);
    const Ratio& rounds = claims.rounds->rounds;
    const std::uint64_t least = (rounds.numerator + rounds.denominator - 1) / rounds.denominator;
    CAPTURE(network, collective);
    CHECK(lower_bound(hops).steps == std::max<std::uint64_t>(least, claims.steps->steps));
}

TEST_CASE("steps become chunks, and the same steps again", "[result_files][same question]")
{
    const std::string network = GENERATE(from_range(networks));
    const std::string collective = GENERATE("broadcast", "scatter", "gather", "reduce", "allgather",
                                            "alltoall", "reduce-scatter", "allreduce", "scan");
    const Problem problem = ask(network, collective);
    PortfolioOptions options;
    options.budget = std::chrono::seconds(4);
    const auto schedule = find_schedule(problem, options).schedule;
    REQUIRE(schedule);
    const LinkNetwork links = link_network_of(problem.topology);
    const Schedule again = steps_of_chunks(chunks_of_steps(*schedule, links), problem.topology, links);
    CAPTURE(describe(problem));
    CHECK(again.steps.size() <= schedule->steps.size());
}

} // namespace nocturne::same_question_test
