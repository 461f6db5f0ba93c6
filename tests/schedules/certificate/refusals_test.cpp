// What is no bound is refused in one line with the place: the rows of refusals.txt.
#include "models/topology/make_topology.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"

namespace nocturne::bound_refusals_test {

TEST_CASE("JSON that is no bound is refused in one line with the place", "[bounds][json]")
{
    const Topology mesh = make_topology("mesh:4x4");
    test::check_refusals(
        "schedules/certificate/refusals.txt",
        {{"a.json",
          [&](const std::string& text) { parse_bound(nlohmann::json::parse(text), mesh, "a.json"); }},
         {"bounds.json", [](const std::string& text) {
              const nlohmann::json json = nlohmann::json::parse(text);
              read_bounds(JsonPlace(json, "bounds.json"));
          }}});
}

} // namespace nocturne::bound_refusals_test
