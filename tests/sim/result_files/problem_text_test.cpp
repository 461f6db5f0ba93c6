#include "sim/result_files/problem_text.hpp"
#include "tests/catch.hpp"

namespace nocturne::problem_text_test {

using Catch::Contains;

namespace {

ProblemText on(const char* topology, const char* collective)
{
    ProblemText text;
    text.topology = topology;
    text.collective = collective;
    return text;
}

} // namespace

TEST_CASE("what is left out of a problem is as usual for the network", "[result_files][problem]")
{
    const Problem problem = make_problem(on("omega:8", "oas"));
    CHECK(problem.ports == one_port);
    CHECK(problem.switching == Switching::wormhole);
    CHECK_FALSE(problem.slack);
    CHECK(problem.collective == scatter({8}, 0));
}

TEST_CASE("lists of processors are names, indices and ranges", "[result_files][problem]")
{
    ProblemText text = on("fat_octagon:8", "MNS");
    text.senders = "0-3,8";
    text.receivers = "0-15";
    CHECK(participants_of(make_problem(text).collective)->senders ==
          std::vector<std::uint32_t>{0, 1, 2, 3, 8});
    text = on("mesh:4x4", "multicast");
    text.source = "10"; // the name of row 1, column 0
    text.receivers = "01,33,#9";
    CHECK(make_problem(text).collective == multicast({16}, 4, {1, 15, 9}));
}

TEST_CASE("faults are part of the problem", "[result_files][problem]")
{
    ProblemText text = on("mesh:4x4", "AAS");
    text.faults = {"node:00", "link:12-13"};
    const Problem problem = make_problem(text);
    CHECK(problem.topology.processor_count() == 15);
    CHECK(problem.topology.channel_count() == 48 - 4 - 2);
    CHECK(problem.topology.name() == "mesh:4x4 without node:00, link:12-13");
}

TEST_CASE("a problem that makes no sense is refused", "[result_files][problem]")
{
    ProblemText text = on("mesh:4x4", "OAS");
    text.source = "44";
    CHECK_THROWS_WITH(make_problem(text), Contains("source '44': mesh:4x4 has no such processor"));
    text = on("mesh:4x4", "MNB");
    text.senders = "5-3";
    text.receivers = "0-15";
    CHECK_THROWS_WITH(make_problem(text), Contains("5-3"));
    text = on("mesh:3x5", "multicast");
    text.source = "24";
    text.receivers = "0-14"; // 14 is a name, 0 an index
    CHECK_THROWS_WITH(make_problem(text), "receiver '0-14': mesh:3x5 has '14', but nothing named '0': plain "
                                          "numbers here are all names or all indices; write the index as #0");
    for (const char* const indices : {"#0-#13", "#0-13"}) {
        text.receivers = indices;
        CHECK(make_problem(text).collective.demands.size() == 14);
    }
    text.receivers = "00-13";
    CHECK(make_problem(text).collective.demands.size() == 9);
    text = on("ring:8", "AAS");
    text.faults = {"link:0-1", "link:4-5"};
    CHECK_THROWS_WITH(make_problem(text), Contains("ring:8"));
    text = on("mesh:4x4", "AAX");
    CHECK_THROWS_WITH(make_problem(text), Contains("AAX"));
}

} // namespace nocturne::problem_text_test
