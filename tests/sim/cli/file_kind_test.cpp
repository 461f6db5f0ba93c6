// A file of the wrong kind: every command says what it is, and what is wanted.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <map>
#include <set>
#include <string>

namespace nocturne::file_kind_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// One file of each kind, by what it is called in messages.
std::map<std::string, std::string> files_of_each_kind(const TemporaryFolder& folder)
{
    const auto made = [&](const std::string& words, const std::string& name) {
        const std::string file = folder / name;
        REQUIRE(run_words(words + " " + file).status <= 1);
        return file;
    };
    std::map<std::string, std::string> files{
        {"a schedule in steps", made("schedule ring:4 --collective AAS -o", "steps.json")},
        {"a bound without a schedule", made("bound ring:4 --collective AAS -o", "bound.json")},
        {"a schedule in chunks, or bounds of one",
         made("schedule ring:4 --collective allgather --objective steps -o", "chunks.json")},
        {"a topology", made("topology ring:4 -o", "ring.json")},
        {"the state of a search (schedule --checkpoint)",
         made("schedule ring:4 --collective AAS --checkpoint", "search.json")},
        {"empty", folder.file("empty.json", "\n")},
        {"of an unknown format", folder.file("text.json", "hello")},
        {"XML of another kind", folder.file("other.xml", "<a/>")},
        {"a slot table (contract -o)",
         made("contract mesh:2x2 --flow source=00,destination=11,mbytes_per_s=1 -o", "slots.json")}};
    files["a schedule in chunks, in MSCCL XML"] =
        made("export " + files["a schedule in chunks, or bounds of one"] + " --msccl-xml", "program.xml");
    files["a schedule in chunks, of MSCCL++"] =
        made("export " + files["a schedule in chunks, or bounds of one"] + " --mscclpp-json", "plan.json");
    files["programs of ranks (validate judges, traffic --trace runs them)"] =
        made("export " + files["a schedule in steps"] + " --goal", "program.goal");
    return files;
}

} // namespace

TEST_CASE("a network is called one, and drawn, in every format", "[cli][files]")
{
    const TemporaryFolder folder;
    const std::string name = GENERATE("net.json", "net.dot", "net.graphml", "net", "net.anynet");
    const std::string file = folder / name;
    if (name == "net" || name == "net.anynet")
        folder.file(name, "router 0 node 0 router 1\nrouter 1 node 1\n");
    else
        REQUIRE(run_words("topology ring:4 -o " + file).status == 0);
    CHECK(run_words("validate " + file).err ==
          "nocturne: " + file + ": this is a topology; a schedule is wanted\n");
    CHECK(run_words("report " + file + " -o " + (folder / "page.html")).status == 0);
}

TEST_CASE("a file of the wrong kind is called what it is, and what is wanted is named", "[cli][files]")
{
    const TemporaryFolder folder;
    const auto files = files_of_each_kind(folder);
    const std::string steps = "a schedule in steps";
    const std::string chunks = "a schedule in chunks, or bounds of one";
    const std::set<std::string> every{steps, chunks, "a schedule in chunks, in MSCCL XML",
                                      "a schedule in chunks, of MSCCL++"};
    std::set<std::string> with_programs = every;
    with_programs.insert("programs of ranks (validate judges, traffic --trace runs them)");
    struct Taker {
        std::string command;
        std::set<std::string> takes;
        std::string wanted;
    };
    const std::vector<Taker> takers{
        {"compare --bytes 64,128 --traffic shifted --routing auto --topology ring:4", every, "a schedule"},
        {"recover --fault link:0-1 --at-step 1 --topology ring:4", every, "a schedule"},
        {"reschedule --fault link:0-1 --topology ring:4", every, "a schedule"},
        {"validate --topology ring:4", with_programs, "a schedule"},
        {"replay --bytes 64 --topology ring:4", every, "a schedule"},
        {"certify", {steps, chunks, "a bound without a schedule"}, "a schedule or a bound"},
        {"export --goal " + (folder / "out.goal"), {steps, chunks}, "a schedule"}};
    for (const Taker& taker : takers)
        for (const auto& [kind, file] : files) {
            INFO(taker.command << " " << file);
            const Outcome outcome = run_words(taker.command + " " + file);
            if (taker.takes.contains(kind)) {
                CHECK(outcome.status <= 1);
                continue;
            }
            CHECK(outcome.status == 2);
            CHECK(outcome.out.empty());
            CHECK(outcome.err ==
                  "nocturne: " + file + ": this is " + kind + "; " + taker.wanted + " is wanted\n");
        }
    // Where a network is wanted, its reader says so.
    CHECK_THAT(run_words("topology " + files.at(steps)).err,
               Contains(R"(it is "nocturne-schedule", "nocturne-topology" is wanted)"));
}

TEST_CASE("a file is what its content says, whatever stands before its format", "[cli][files]")
{
    const TemporaryFolder folder;
    const std::string late = folder.file("late.json", "{\"name\": \"" + std::string(5000, 'x') +
                                                          "\", \"format\": \"nocturne-topology\"}");
    CHECK_THAT(run_words("compare " + late).err, Contains("this is a topology"));
    const std::string inside =
        folder.file("inside.json", R"({"a": {"format": "nocturne-topology"}, "b": ["nocturne-chunks"]})");
    CHECK_THAT(run_words("compare " + inside).err, !Contains("this is"));
    const std::string broken = folder.file("broken.json", "{\"steps\": [");
    CHECK_THAT(run_words("compare " + broken).err, Contains("broken.json") && !Contains("this is"));
    // A pipe is read once, by the reader.
    CHECK(run_words("schedule ring:4 --collective AAS -o " + (folder / "s.json")).status == 0);
    CHECK_THAT(run_shell("cat " + (folder / "s.json") + " | $nocturne validate /dev/stdin").out,
               Contains("\nvalid            yes\n"));
}

} // namespace nocturne::file_kind_test
