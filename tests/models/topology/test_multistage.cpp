// The wiring of the multistage networks, and that their control tags lead to the destination.
#include "models/topology/generators.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <set>

namespace nocturne::multistage_test {

namespace {

/// Follows the tag of `destination` from a router at `column`, taking the free digits from `choice` (in mixed
/// radix), to the processor that it ends at.
ProcessorId follow_tag(const Topology& topology, RouterId at, ProcessorId destination, unsigned choice)
{
    const auto digits = topology.tag_digits();
    for (std::size_t column = 0; column < digits.size(); ++column) {
        const TagDigit& digit = digits[column];
        const unsigned port = digit.free ? choice % digit.radix : destination / digit.divisor % digit.radix;
        if (digit.free)
            choice /= digit.radix;
        if (column + 1 == digits.size())
            return topology.processors_ejected_by(at)[port];
        at = topology.channel(topology.channels_from(at)[port]).target;
    }
    throw std::logic_error("a multistage network without columns");
}

unsigned free_choices(const Topology& topology)
{
    unsigned choices = 1;
    for (const TagDigit& digit : topology.tag_digits())
        choices *= digit.free ? digit.radix : 1;
    return choices;
}

} // namespace

TEST_CASE("the control tag leads from every source to every destination by every free choice",
          "[topology][multistage]")
{
    const std::string spec =
        GENERATE(as<std::string>{}, "omega:2", "omega:4", "omega:8", "omega:16", "omega:64", "butterfly:2",
                 "butterfly:4", "butterfly:8", "butterfly:16", "butterfly:64", "clos:1,1,1", "clos:1,2,3",
                 "clos:3,3,4", "clos:2,5,3", "clos:5,2,3", "benes:2,1", "benes:2,2", "benes:2,2,1",
                 "benes:2,3", "benes:2,3,1", "benes:2,3,2", "benes:2,5", "benes:2,5,2", "benes:3,2",
                 "benes:3,3", "benes:3,3,1", "benes:3,3,2", "benes:4,2", "benes:4,3,1");
    const Topology topology = make_topology(spec);
    INFO(spec);
    std::size_t wrong = 0;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (unsigned choice = 0; choice < free_choices(topology); ++choice)
                wrong += follow_tag(topology, topology.processor(source).injection, destination, choice) !=
                         destination;
    CHECK(wrong == 0);
}

TEST_CASE("different free choices take different paths", "[topology][multistage]")
{
    const std::string spec = GENERATE(as<std::string>{}, "clos:3,4,2", "benes:2,3", "benes:3,3,1");
    const Topology topology = make_topology(spec);
    std::set<std::vector<RouterId>> paths;
    for (unsigned choice = 0; choice < free_choices(topology); ++choice) {
        std::vector<RouterId> path{topology.processor(1).injection};
        unsigned rest = choice;
        for (std::size_t column = 0; column + 1 < topology.tag_digits().size(); ++column) {
            const TagDigit& digit = topology.tag_digits()[column];
            const unsigned port = digit.free ? rest % digit.radix : 0;
            rest /= digit.free ? digit.radix : 1;
            path.push_back(topology.channel(topology.channels_from(path.back())[port]).target);
        }
        paths.insert(path);
    }
    CHECK(paths.size() == free_choices(topology));
}

TEST_CASE("switches are wired as the definitions say", "[topology][multistage]")
{
    // Processors by their first switch and by their last; column by column, the two switches behind each.
    struct Case {
        const char* spec;
        const char* first;
        std::vector<std::string> columns;
    };
    const Case wired = GENERATE(values<Case>({
        // Perfect shuffles: line l goes to 2l mod 7 (7 to itself).
        {"omega:8", "01230123", {"01 23 01 23", "01 23 01 23"}},
        // Lines that differ in bits 2, 1, 0: {0,4} {1,5} {2,6} {3,7}, {0,2} {1,3} {4,6} {5,7}, {0,1} ...
        {"butterfly:8", "01230123", {"02 13 02 13", "01 01 23 23"}},
        // Output j of switch i of the leftmost column is input i of copy j; copies are B(2,2), two switches
        // tall; output i of copy j is input j of switch i of the rightmost column.
        {"benes:2,3", "00112233", {"02 02 13 13", "01 01 23 23", "01 01 23 23", "01 23 01 23"}},
    }));
    const Topology topology = make_topology(wired.spec);
    INFO(wired.spec);
    for (ProcessorId p = 0; p < 8; ++p) {
        CHECK(topology.router_name(topology.processor(p).injection) == fmt::format("c0s{}", wired.first[p]));
        CHECK(topology.router_name(topology.processor(p).ejection) ==
              fmt::format("c{}s{}", wired.columns.size(), p / 2));
    }
    for (std::size_t column = 0; column < wired.columns.size(); ++column) {
        std::string behind;
        for (unsigned number = 0; number < 4; ++number) {
            behind += number == 0 ? "" : " ";
            const RouterId from = topology.find_router(fmt::format("c{}s{}", column, number)).value();
            for (const ChannelId id : topology.channels_from(from)) {
                const std::string& name = topology.router_name(topology.channel(id).target);
                CHECK(name.starts_with(fmt::format("c{}s", column + 1)));
                behind += name.back();
            }
        }
        CHECK(behind == wired.columns[column]);
    }
    CHECK(topology.router_count() == 4 * (wired.columns.size() + 1));
    CHECK(topology.channel_count() == 8 * wired.columns.size());
}

TEST_CASE("a Clos network has one channel between each pair of switches of adjacent columns",
          "[topology][multistage]")
{
    const auto [n, m, r] =
        GENERATE(table<unsigned, unsigned, unsigned>({{3, 3, 4}, {2, 5, 3}, {5, 2, 7}, {1, 1, 1}}));
    const Topology topology = make_clos(n, m, r);
    CHECK(topology.processor_count() == n * r);
    CHECK(topology.router_count() == 2 * r + m);
    CHECK(topology.channel_count() == 2 * m * r);
    std::set<std::pair<RouterId, RouterId>> pairs;
    for (const Channel& channel : topology.channels())
        pairs.emplace(channel.source, channel.target);
    CHECK(pairs.size() == 2 * m * r);
    for (ProcessorId p = 0; p < n * r; ++p) {
        CHECK(topology.processor(p).injection == p / n);
        CHECK(topology.processor(p).ejection == r + m + p / n);
    }
}

TEST_CASE("a truncated Benes network is the rest of the whole one", "[topology][multistage]")
{
    const auto [q, n, r] = GENERATE(
        table<unsigned, unsigned, unsigned>({{2, 3, 1}, {2, 3, 2}, {3, 3, 1}, {2, 5, 3}, {4, 2, 1}}));
    const Topology whole = make_benes(q, n), rest = make_benes(q, n, r);
    const RouterId removed = static_cast<RouterId>(whole.router_count() - rest.router_count());
    CHECK(rest.tag_digits().size() == 2 * n - 1 - r);
    CHECK(removed * q == r * whole.processor_count());
    for (ChannelId id = 0; id < rest.channel_count(); ++id) {
        const Channel& kept =
            whole.channel(static_cast<ChannelId>(whole.channel_count() - rest.channel_count() + id));
        CHECK(kept.source == rest.channel(id).source + removed);
        CHECK(kept.target == rest.channel(id).target + removed);
    }
}

} // namespace nocturne::multistage_test
