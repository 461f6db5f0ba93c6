// What the transcripts cannot say: a help on standard error, marks before any file, and runs that are chosen
// among others.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <map>

namespace nocturne::commands_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");

} // namespace

TEST_CASE("without a command the help goes to standard error", "[cli]")
{
    const Outcome outcome = run_nocturne({});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == text_of({"--help"}));
}

TEST_CASE("a byte-order mark before any file of text changes nothing", "[cli][files]")
{
    const TemporaryFolder folder;
    const std::string chunks = folder / "chunks.json", xml = folder / "chunks.xml";
    const std::string algorithm = folder / "algorithm.json", bound = folder / "bound.json";
    for (const Arguments& command : {Arguments{"schedule", "ring:4", "--collective", "allgather",
                                               "--objective", "bandwidth", "-o", chunks},
                                     {"export", chunks, "--msccl-xml", xml, "--msccl-json", algorithm},
                                     {"bound", "ring:4", "--collective", "AAS", "-o", bound}})
        REQUIRE(run_nocturne(command).status == 0);
    const auto example = [](const char* name) {
        return content_of(PROJECT_FOLDER "/examples/" + std::string(name));
    };
    struct Reader {
        std::string file, content;
        Arguments before, after = {}; ///< of the file's name
    };
    const Arguments quick{"--load", "0.05", "--warm-up", "50", "--window", "200"};
    std::vector<Reader> readers{
        {"schedule.json", content_of(octagon), {"validate"}},
        {"chunks.json", content_of(chunks), {"validate"}},
        {"program.xml", content_of(xml), {"validate"}, {"--topology", "ring:4"}},
        {"tools.json", content_of(algorithm), {"validate"}},
        {"bound.json", content_of(bound), {"certify"}},
        {"trace.csv", "cycle,source,destination,bytes,after\n0,0,1,4,\n", {"traffic", "ring:4", "--trace"}},
        {"options.ini", "bytes = 64\n", {"replay", octagon, "--config"}},
        {"sweep.ini", "command = bound\n[sweep]\ntopology = ring:4\n", {"sweep", "--list"}},
        {"sweep.json", R"({"command":"bound","sweep":[{"topology":"ring:4"}]})", {"sweep", "--list"}},
        {"places.txt", "0 0 0\n1 10 0\n2 20 5\n", {"topology", "ring:3", "--measure", "--positions"}},
        {"energy.json", example("energy/router_45nm.json"), {"replay", octagon, "--energy"}}};
    for (const char* const name : {"bridge.anynet", "bridge.dot", "bridge.graphml", "bridge.json"})
        readers.push_back({name, example((std::string("networks/") + name).c_str()), {"topology"}});
    for (const auto& [kind, content] :
         {std::pair{"matrix:", "0 1 1\n1 0 1\n1 1 0\n"}, std::pair{"permutation:", "1\n2\n0\n"}})
        readers.push_back({kind, content, {"traffic", "ring:3", "--pattern"}, quick});
    for (const Reader& reader : readers) {
        INFO(reader.file);
        const bool is_pattern = reader.file.ends_with(':');
        const std::string name = is_pattern ? "numbers.txt" : reader.file;
        const auto run = [&](const std::string& content) {
            Arguments arguments = reader.before;
            arguments.push_back((is_pattern ? reader.file : "") + folder.file(name, content));
            arguments.insert(arguments.end(), reader.after.begin(), reader.after.end());
            return run_nocturne(arguments);
        };
        const Outcome plain = run(reader.content);
        const Outcome marked = run("\xef\xbb\xbf" + reader.content);
        CHECK(plain.status == 0);
        CHECK(marked.status == 0);
        CHECK(marked.out == plain.out);
        CHECK(marked.err == plain.err);
    }
}

TEST_CASE("compare says which run without a schedule is the strongest", "[cli][compare]")
{
    const json runs =
        nocturne_json({"compare", octagon, "--bytes", "64,1024", "--vcs", "4", "--json"})["runs"];
    std::map<unsigned, double> least, strongest; // by the bytes of a message
    for (const json& run : runs) {
        const unsigned bytes = run["message_bytes"];
        const double time = run["time_ns"];
        if (run["routing"] != "source routes")
            least[bytes] = least.contains(bytes) ? std::min(least[bytes], time) : time;
        if (run["strongest"] == true)
            CHECK(strongest.emplace(bytes, time).second);
    }
    CHECK(least.size() == 2);
    CHECK(strongest == least);
}

TEST_CASE("compare says which traffic deadlocks and who waits for whom", "[cli][compare]")
{
    const json result = nocturne_json({"compare", octagon, "--bytes", "2048,4096", "--routing", "shortest",
                                       "--vcs", "1", "--traffic", "shifted,in-order", "--json"},
                                      1);
    std::size_t deadlocks = 0;
    for (const json& run : result["runs"])
        if (run["outcome"] == "deadlock") {
            ++deadlocks;
            CHECK(run["stall"]["cycle"].size() >= 2);
            CHECK(run["memory_ok"] == false);
        }
    CHECK(deadlocks > 0);
}

} // namespace nocturne::commands_test
