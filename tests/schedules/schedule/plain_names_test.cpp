#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace nocturne::plain_names_test {

using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("plain numbers in the texts of a schedule have one reading", "[schedule][json]")
{
    // In mesh:8x8 `63` is row 6, column 3; nothing is called 18, which can be an index only.
    const Topology mesh = make_topology("mesh:8x8");
    const auto read = [&](const std::string& source, const std::string& first, const std::string& second) {
        return parse_schedule(fmt::format(R"({{"format": "nocturne-schedule", "version": 1,
        "topology": "mesh:8x8", "collective": {{"kind": "OAB", "source": {}}}, "ports": 1,
        "steps": [[{{"from": {}, "to": {}}}]]}})",
                                          source, first, second),
                              mesh, "text");
    };
    const std::string refusal = "mesh:8x8 has '63', but nothing named '18': plain numbers here are all names "
                                "or all indices; write the index as #18";
    CHECK_THROWS_WITH(read("0", R"("63")", R"("18")"),
                      StartsWith("text: /steps/0/0/to: ") && Contains(refusal));
    CHECK_THROWS_WITH(read("0", R"("18")", R"("63")"), Contains(refusal));
    CHECK_THROWS_WITH(read(R"("18")", "0", R"("63")"), Contains(refusal)); // in the head and in a step
    CHECK_THROWS_WITH(read(R"("63")", R"("18")", "0"), Contains(refusal));
    CHECK(read("0", R"("63")", R"("#18")").steps[0][0].source == 6 * 8 + 3);
    CHECK(read("0", R"("63")", "18").steps[0][0].destination == 18); // numbers are indices
    CHECK(read("0", R"("18")", R"("19")").steps[0][0].source == 18);
    CHECK(read("0", R"("18")", R"("19")").steps[0][0].destination == 19);
}

} // namespace nocturne::plain_names_test
