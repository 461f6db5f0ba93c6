#include "models/topology/files.hpp"
#include "sim/cli/error_text.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <ctime>

namespace nocturne::error_text_test {

using cli::with_file_names;
using test::TemporaryFolder;

namespace {

/// Of two processors, with `more` behind its last member.
std::string network_called(const std::string& name, const std::string& more = "")
{
    return R"({"format": "nocturne-topology", "version": 1, "name": ")" + name + R"(", "default_ports": "all",
        "routers": [{"name": "0"}, {"name": "1"}],
        "processors": [{"name": "0", "injection": 0, "ejection": 0},
                       {"name": "1", "injection": 1, "ejection": 1}],
        "channels": [{"source": 0, "target": 1}, {"source": 1, "target": 0}])" +
           more + "}";
}

} // namespace

TEST_CASE("an error about the network in a file names the file", "[cli]")
{
    const TemporaryFolder folder;
    const std::string network = folder.file("two.json", network_called(R"(a \"bridge\": old)"));
    CHECK(with_file_names("a \"bridge\": old: no link", {"topology", network}) == network + ": no link");
    CHECK(with_file_names("a \"bridge\": no link", {"topology", network}) == "a \"bridge\": no link");
    CHECK(with_file_names("no link", {"topology", network}) == "no link");
    for (const std::string& of_schedule :
         {network_called("bridge"), std::string("\"two_more.json\""), std::string("\"ring:3\"")}) {
        folder.file("two_more.json", network_called("bridge"));
        const bool is_ring = of_schedule == R"("ring:3")";
        const std::string schedule = folder.file(
            "schedule.json",
            R"({"format": "nocturne-schedule", "version": 1, "name": "s", "topology": )" + of_schedule +
                R"(, "collective": {"kind": "OAB", "processors": )" + (is_ring ? "3" : "2") +
                R"(, "source": "0"}, "ports": "all", "switching": "wormhole", "steps": []})");
        CAPTURE(of_schedule);
        const std::string name = is_ring ? "ring:3" : "bridge";
        CHECK(with_file_names(name + ": no link", {"replay", "--schedule=" + schedule}) ==
              schedule + ": " + name + ": no link");
    }
}

TEST_CASE("an error about something else reads no large file", "[cli]")
{
    const TemporaryFolder folder;
    std::string rows;
    while (rows.size() < 24'000'000)
        rows += R"({"source": 1, "target": 0, "latency_cycles": 2, "width_bytes": 3}, )";
    const std::string file = folder.file("large.json", network_called("two", R"(, "more": [)" + rows + "0]"));
    for (const char* text :
         {"unknown command 'verify': there are", "--bytes 1MB: units", "name: steps: is missing",
          "schedule: refused", "1920 steps in a thread block: MSCCL's runtime takes 256"}) {
        CAPTURE(text);
        const std::clock_t begin = std::clock();
        CHECK(with_file_names(text, {"verify", file, "--schedule=" + file}) == text);
        // To read it once takes more than a second.
        CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 0.2);
    }
}

} // namespace nocturne::error_text_test
