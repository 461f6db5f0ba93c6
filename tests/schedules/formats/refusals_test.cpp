// What is no schedule of another tool is refused in one line with the place: the rows of refusals.txt.
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"
#include "tests/schedules/formats/printed_schedules.hpp"
#include "tests/schedules/formats/random_schedules.hpp"

#include <nlohmann/json.hpp>

namespace nocturne::format_refusals_test {

using nlohmann::json;

TEST_CASE("text that is no schedule of another tool is refused in one line with the place", "[formats]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:4")), star = test::star();
    const LinkNetwork three = link_network_of(make_topology("ring:3"));
    const ExactAnswer found = decide_steps(ring, allgather({.processors = 4}), {.shape = {2, 4}});
    const json algorithm = json::parse(to_msccl_json(found.schedule.value(), ring));
    const json plan = json::parse(to_mscclpp_json(found.schedule.value(), ring));
    const std::string program = test::example_program();
    CHECK_NOTHROW(read_msccl_json(algorithm.dump(), "msccl.json", std::nullopt));
    CHECK_NOTHROW(read_msccl_xml(program, "msccl.xml", three));
    const auto changed = [](const std::string& good, const std::string& change) {
        const std::vector<std::string> words = test::pieces_of(change);
        return test::with(good, words.at(0), words.at(1));
    };
    test::check_refusals(
        "schedules/formats/refusals.txt",
        {{"msccl.json",
          [&](const std::string& change) {
              const std::size_t space = change.find(' ');
              json other = algorithm;
              other[json::json_pointer(change.substr(0, space))] = json::parse(change.substr(space + 1));
              read_msccl_json(other.dump(), "msccl.json", std::nullopt);
          }},
         {"msccl.xml",
          [&](const std::string& change) { read_msccl_xml(changed(program, change), "msccl.xml", three); }},
         {"forest.xml",
          [&](const std::string& change) {
              read_forestcoll_xml(changed(test::forest, change), "forest.xml", star);
          }},
         {"plan.json",
          [&](const std::string& change) {
              const std::size_t space = change.find(' ');
              json other = plan;
              other[json::json_pointer(change.substr(0, space))] = json::parse(change.substr(space + 1));
              read_mscclpp_json(other.dump(), "plan.json", ring);
          }},
         {"teccl.json", [&](const std::string& text) { read_teccl_json(text, "teccl.json", star); }}});
}

} // namespace nocturne::format_refusals_test
