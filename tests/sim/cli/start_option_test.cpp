// Searches that begin with a schedule, whatever kind of file has it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::start_option_test {

using namespace nocturne::test;

namespace {

const std::string ring = "schedule ring:5 --collective allgather --budget 20 ";

/// Schedules of one collective: messages in steps, chunks, and a file of another tool.
struct Files {
    TemporaryFolder folder;
    std::string steps = folder / "steps.json", chunks = folder / "chunks.json", foreign = folder / "ring.xml";

    Files()
    {
        REQUIRE(run_words(ring + "-o " + steps).status == 0);
        REQUIRE(run_words(ring + "--objective time --chunks 1 -o " + chunks).status == 0);
        REQUIRE(run_words("export " + chunks + " --msccl-xml " + foreign).status == 0);
    }
};

} // namespace

TEST_CASE("a search begins with steps, chunks, or a schedule of another tool", "[cli][start]")
{
    const Files files;
    for (const std::string& file : {files.steps, files.chunks, files.foreign})
        for (const std::string question :
             {"", "--objective steps", "--objective bandwidth", "--objective time"}) {
            CAPTURE(file, question);
            const Outcome found = run_words(ring + question + " --json --start " + file);
            INFO(found.err);
            REQUIRE(found.status == 0);
            if (question != "--objective time") // no bound of it is met
                CHECK(nlohmann::json::parse(found.out)["optimal"] == true);
        }
    // Of what is as good the one that was there stays.
    const Outcome same = run_words(ring + "--json --start " + files.steps);
    CHECK(nlohmann::json::parse(same.out)["engine"] == "start");
    CHECK(run_words(
              "evolve ring:5 --collective allgather --engine umda --runs 1 --budget 5 --steps 4 --start " +
              files.chunks)
              .status == 0);
}

} // namespace nocturne::start_option_test
