// The same question has the same answer however it is asked: lower bounds and steps of pairs.
#include "models/topology/faults.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/topology_files.hpp"
#include "models/topology/turned.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/constructions/constructions.hpp"
#include "sim/result_files/problem_text.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

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

/// Searches go on for as long as the machine lets them: what is the same on all of them is compared, the
/// bounds and what is constructed.
void check_pair(const Problem& one, const Problem& other)
{
    CAPTURE(describe(one), describe(other));
    const Bound bound = lower_bound(one), other_bound = lower_bound(other);
    CAPTURE(bound.reason, other_bound.reason);
    CHECK(bound.steps == other_bound.steps);
    if (reduces(one.collective) || reduces(other.collective))
        return;
    const auto made = best_construction(one), made_of_other = best_construction(other);
    REQUIRE(made.has_value() == made_of_other.has_value());
    if (made)
        CHECK(made->steps.size() == made_of_other->steps.size());
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
    // Constructions know broadcasts of several only.
    CHECK(lower_bound(ask(network, "broadcast")).steps ==
          lower_bound(ask(network, "MNB", from_to("#0", all))).steps);
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
    const Bounds bounds = best_chunk_bounds(link_network_of(hops.topology), hops.collective,
                                            AlphaBeta{.bytes_per_weight = 1}, BoundScope::own_parts);
    REQUIRE(bounds.steps);
    REQUIRE(bounds.rounds);
    CAPTURE(network, collective);
    CHECK(lower_bound(hops).steps ==
          std::max<std::uint64_t>(rounded_up(bounds.rounds->rounds), bounds.steps->steps));
}

} // namespace nocturne::same_question_test
