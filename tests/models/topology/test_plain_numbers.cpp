#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/plain_numbers.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace nocturne::plain_numbers_test {

namespace {

/// Is the number the name of a vertex that is not the one of this index?
bool is_name_only(const Topology& topology, const std::string& text)
{
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (topology.router_name(id) == text)
            return std::to_string(id) != text;
    return false;
}

bool is_index_only(const Topology& topology, const std::string& text)
{
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (topology.router_name(id) == text)
            return false;
    return std::stoul(text) < topology.router_count();
}

} // namespace

TEST_CASE("two plain numbers are read in one way or refused", "[topology][plain_numbers]")
{
    for (const char* const spec : {"mesh:4x4", "mesh:8x8", "ring:12", "hypercube:4", "torus:3x5"}) {
        const Topology topology = make_topology(spec);
        std::vector<std::string> texts;
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            texts.push_back(std::to_string(id));
            texts.push_back(topology.router_name(id));
        }
        for (const std::string& first : texts)
            for (const std::string& second : texts) {
                CAPTURE(spec, first, second);
                const bool is_mixed = (is_name_only(topology, first) && is_index_only(topology, second)) ||
                                      (is_index_only(topology, first) && is_name_only(topology, second));
                PlainNumbers numbers(topology, "list");
                const auto read = [&] {
                    return std::pair(numbers.find_router(first), numbers.find_router(second));
                };
                if (is_mixed)
                    REQUIRE_THROWS_AS(read(), std::invalid_argument);
                else
                    REQUIRE(read() == std::pair(topology.find_router(first), topology.find_router(second)));
            }
    }
}

TEST_CASE("a list of faults has one reading of its numbers", "[topology][plain_numbers]")
{
    const Topology mesh = make_topology("mesh:8x8");
    const auto parse = [&](std::vector<std::string> faults) { return parse_faults(mesh, faults); };
    CHECK_THROWS_WITH(
        parse({"node:63", "node:18"}),
        "faults: mesh:8x8 has '63', but nothing named '18': plain numbers here are all names or "
        "all indices; write the index as #18");
    CHECK_THROWS_AS(parse({"node:18", "link:62-63"}), std::invalid_argument);
    CHECK(parse({"node:63", "node:#18"}).routers == std::vector<RouterId>{51, 18});
    CHECK(parse({"node:18", "node:19"}).routers == std::vector<RouterId>{18, 19});
}

} // namespace nocturne::plain_numbers_test
