// What is no traffic, in files and texts, is refused in one line with the place: the rows of refusals.txt.
#include "models/topology/make_topology.hpp"
#include "models/traffic/application.hpp"
#include "models/traffic/arrivals.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/multicast_groups.hpp"
#include "models/traffic/noxim_table.hpp"
#include "models/traffic/npe_events.hpp"
#include "models/traffic/pattern.hpp"
#include "models/traffic/permutation.hpp"
#include "models/traffic/rank_programs.hpp"
#include "models/traffic/trace.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>

namespace nocturne::traffic_refusals_test {

using namespace nocturne::test;

namespace {

/// The working folder, for a time.
class InFolder {
public:
    InFolder() { std::filesystem::current_path(folder_ / ""); }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;
    ~InFolder() { std::filesystem::current_path(before_); }

    /// A reader of texts, made of one of this file.
    template <class Read>
    auto reader(const std::string& file, Read read) const
    {
        return [this, file, read](const std::string& text) {
            folder_.file(file, text);
            read(file);
        };
    }

private:
    std::filesystem::path before_ = std::filesystem::current_path();
    TemporaryFolder folder_;
};

} // namespace

TEST_CASE("what is no traffic is refused in one line with the place", "[traffic]")
{
    const InFolder folder;
    const Topology mesh = make_topology("mesh:2x2");
    const auto read_mapping_of_two = [&](const std::string& file) {
        folder.reader("two.csv", read_application)("source,destination,mbytes_per_s\na,b,1\n");
        read_mapping(mesh, read_application("two.csv"), file);
    };
    const auto groups = [](const std::string& file) { read_groups(make_topology("mesh:3x3"), file); };
    const auto permutation = [](const std::string& file) { read_permutation(file, 4); };
    const auto table = [&](const std::string& file) { read_noxim_table(mesh, file); };
    const auto trace = [&](const std::string& file) { read_trace(mesh, file); };
    const auto goal = [&](const std::string& file) { check_programs(read_programs(file).value(), mesh); };
    const auto events = [&](const std::string& file) { read_npe_events(mesh, file); };
    const auto pattern_on = [](const std::string& network) {
        return [=](const std::string& text) { make_pattern(make_topology(network), text); };
    };
    check_refusals("models/traffic/refusals.txt",
                   {{"a.csv", folder.reader("a.csv", read_application)},
                    {"m.csv",
                     [&](const std::string& text) {
                         folder.reader("m.csv", read_mapping_of_two)("core,processor\n" + text);
                     }},
                    {"w.json", folder.reader("w.json", trace)},
                    {"e.json", folder.reader("e.json", events)},
                    {"trace.csv", folder.reader("trace.csv", trace)},
                    {"t.txt", folder.reader("t.txt", table)},
                    {"g.csv", folder.reader("g.csv", groups)},
                    {"p.txt", folder.reader("p.txt", permutation)},
                    {"x.goal", folder.reader("x.goal", goal)},
                    {"message sizes", [](const std::string& text) { make_message_sizes(text); }},
                    {"arrivals", [](const std::string& text) { make_arrivals(text); }},
                    {"pattern on mesh:4x4", pattern_on("mesh:4x4")},
                    {"pattern on dragonfly:2,2,1", pattern_on("dragonfly:2,2,1")}});
}

} // namespace nocturne::traffic_refusals_test
