#include "schedules/design/request.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

namespace nocturne::request_test {

using namespace design;
using Catch::Contains;

TEST_CASE("possible requests pass", "[schedules][design]")
{
    for (const auto& [name, request] : test::example_requests()) {
        INFO(name);
        CHECK_NOTHROW(check_request(request));
    }
}

TEST_CASE("impossible requests get one line with the reason", "[schedules][design]")
{
    struct Case {
        Request request;
        std::string reason;
    };
    const auto [request, reason] = GENERATE(values<Case>({
        {{.nodes = 0, .degrees = {3}}, "0 nodes"},
        {{.nodes = 1, .degrees = {3}}, "1 nodes"},
        {{.nodes = 5, .degrees = {3}}, "15 ends, an odd number"},
        {{.nodes = 4, .degrees = {4}}, "only 3 other nodes"},
        {{.nodes = 4, .degrees = {0}}, "node 0 has no links"},
        {{.nodes = 4, .degrees = {1}}, "2 links cannot join 4 nodes"},
        {{.nodes = 4, .degrees = {2, 2}}, "2 numbers of links for 4 nodes"},
        {{.nodes = 4, .degrees = {}}, "0 numbers of links for 4 nodes"},
        {{.nodes = 4, .degrees = {2}, .processors = {1, 1}}, "2 numbers of processors for 4 nodes"},
        {{.nodes = 4, .degrees = {2}, .processors = {1, 0, 0, 0}}, "1 processors: at least 2"},
        {{.nodes = 4, .degrees = {2}, .positions = {{0, 0}}}, "1 positions for 4 nodes"},
        {{.nodes = 3, .degrees = {2}, .longest_wire = 1}, "needs positions"},
        {{.nodes = 3, .degrees = {2}, .positions = {{0, 0}, {1, 0}, {3, 0}}, .longest_wire = 1},
         "do not join node 2"},
        {{.nodes = 8, .degrees = {3}, .symmetry = 3}, "a symmetry of 3 does not divide 8 nodes"},
        {{.nodes = 8, .degrees = {3}, .symmetry = 0}, "a symmetry of 0"},
        {{.nodes = 4, .degrees = {2, 2, 2, 4}, .parallel = ParallelLinks::allowed, .symmetry = 2},
         "nodes 1 and 3 differ"},
    }));
    CHECK_THROWS_WITH(check_request(request), Contains(reason));
    CHECK_THROWS_AS(check_request(request), std::invalid_argument);
}

TEST_CASE("parallel links allow more links than there are other nodes", "[schedules][design]")
{
    CHECK_NOTHROW(check_request({.nodes = 2, .degrees = {3}, .parallel = ParallelLinks::allowed}));
}

} // namespace nocturne::request_test
