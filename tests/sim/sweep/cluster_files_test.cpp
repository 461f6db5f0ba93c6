// The sample files for clusters do what they say, as far as one machine can tell.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace nocturne::cluster_files_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

const std::string cluster = PROJECT_FOLDER "/examples/cluster/";
const std::string sweeps = PROJECT_FOLDER "/examples/sweeps/";

/// The items of the YAML list below the first line that is `key:`, without quotes.
std::vector<std::string> items_below(const std::string& yaml, const std::string& key)
{
    std::istringstream stream(yaml);
    std::vector<std::string> items;
    bool is_below = false;
    for (std::string line; std::getline(stream, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (is_below && !line.starts_with("- "))
            break;
        if (is_below) {
            line.erase(std::remove(line.begin(), line.end(), '"'), line.end());
            items.push_back(line.substr(2));
        }
        is_below = is_below || line == key + ":";
    }
    return items;
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const std::size_t at = text.find(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

} // namespace

TEST_CASE("the sample sweeps name commands and options that exist", "[sweep][examples]")
{
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(sweeps)) {
        CHECK_THAT(text_of({"sweep", entry.path(), "--list"}), Catch::StartsWith("nocturne "));
        ++count;
    }
    CHECK(count >= 2);
}

TEST_CASE("the job file for Slurm runs a sweep", "[sweep][examples]")
{
    CHECK(run_shell("bash -n " + cluster + "slurm.sh").status == 0);
    // Where there is no mpirun its part is played by a script that drops its options.
    const TemporaryFolder folder;
    folder.file("mpirun", "#!/bin/sh\nwhile [ \"$1\" != nocturne ]; do shift; done\nexec \"$@\"\n");
    const std::string sweep = folder.file(
        "a.ini", "command = bound\n[options]\ncollective = AAS\n[sweep]\ntopology = ring:{4:6}\n");
    const std::string bin = std::filesystem::path(NOCTURNE).parent_path();
    const Outcome outcome =
        run_shell("cd " + (folder / "") + " && chmod +x mpirun && PATH=" + (folder / "") + ":" + bin +
                  ":$PATH SLURM_CPUS_PER_TASK=2 bash " + cluster + "slurm.sh " + sweep);
    CHECK(outcome.err.empty());
    CHECK(outcome.out == "3 points, 0 of them failed; results in a.db\n");
    CHECK_THAT(content_of(folder / "a.csv"), Contains("ring:6"));
}

TEST_CASE("the job file for Kubernetes calls the command as it is", "[sweep][examples]")
{
    const std::string yaml = content_of(cluster + "mpijob.yaml");
    CHECK(yaml.find('\t') == std::string::npos);
    std::vector<std::string> words = items_below(yaml, "args");
    const auto program = std::find(words.begin(), words.end(), "nocturne");
    REQUIRE(program != words.end());
    words.erase(words.begin(), program + 1);
    const TemporaryFolder folder;
    for (std::string& word : words)
        word = replaced(replaced(word, "/sweeps/", sweeps), "/results/", folder / "");
    words.emplace_back("--list");
    CHECK_THAT(text_of(words), Catch::StartsWith("nocturne "));
}

TEST_CASE("the containers take packages from the one list, and MPI beside them", "[sweep][examples]")
{
    const std::string whole = content_of(PROJECT_FOLDER "/Containerfile");
    CHECK_THAT(whole, Contains("./run build") && Contains("$EXTRA") && Contains("cpack"));
    const std::string cluster_image = content_of(cluster + "Containerfile");
    for (const char* const package : {"libboost-mpi-dev", "openmpi-bin"}) {
        CHECK_THAT(cluster_image, Contains(package));
        CHECK_THAT(whole, Contains(package)); // in the comment that says how
    }
}

} // namespace nocturne::cluster_files_test
