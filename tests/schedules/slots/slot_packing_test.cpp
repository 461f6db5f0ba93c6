#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/slots/slot_packing.hpp"
#include "schedules/slots/slot_problem.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/slots/random_slots.hpp"

#include <algorithm>
#include <set>

namespace nocturne::slot_packing_test {

using namespace nocturne::test;

namespace {

using Cells = std::set<std::pair<std::uint32_t, std::uint32_t>>; ///< resource, unit

/// Takes the cells of a start; false if one of them is taken.
bool take(Cells& taken, const PackingTable& table, const PackingOption& option, std::uint32_t start)
{
    return std::ranges::all_of(option, [&](const PackingCell& cell) {
        return taken.emplace(cell.resource, (start + cell.after_units) % table.units).second;
    });
}

/// Is there a place for this job and all behind it, with `left` more starts of an option from `first` on?
bool exists(const PackingTable& table, const std::vector<PackingJob>& jobs, std::size_t job,
            const Cells& taken, std::optional<std::size_t> option = std::nullopt, std::uint32_t left = 0,
            std::uint32_t first = 0)
{
    if (job == jobs.size())
        return true;
    if (!option) {
        for (std::size_t each = 0; each < jobs[job].options.size(); ++each)
            if (exists(table, jobs, job, taken, each, jobs[job].count))
                return true;
        return false;
    }
    if (left == 0)
        return exists(table, jobs, job + 1, taken);
    for (std::uint32_t start = first; start < table.units; ++start) {
        Cells more = taken;
        if (take(more, table, jobs[job].options[*option], start) &&
            exists(table, jobs, job, more, option, left - 1, start + 1))
            return true;
    }
    return false;
}

std::vector<PackingJob> random_jobs(std::mt19937& random, const PackingTable& table)
{
    std::vector<PackingJob> jobs(1 + random() % 4);
    for (PackingJob& job : jobs) {
        job.count = 1 + random() % 2;
        job.options.resize(1 + random() % 2);
        for (PackingOption& option : job.options) {
            Cells cells; // no cell twice
            for (unsigned i = 0; i < 1 + random() % 3; ++i) {
                const PackingCell cell{static_cast<std::uint32_t>(random() % table.resources),
                                       static_cast<std::uint32_t>(random() % table.units)};
                if (cells.emplace(cell.resource, cell.after_units).second)
                    option.push_back(cell);
            }
        }
    }
    return jobs;
}

SlotCase all_to_all(const char* name)
{
    SlotCase given{make_topology(name), {}, {}};
    given.timing.channel_cycles.assign(given.topology.channel_count(), 5);
    const auto count = static_cast<ProcessorId>(given.topology.processor_count());
    for (ProcessorId source = 0; source < count; ++source)
        for (ProcessorId destination = 0; destination < count; ++destination)
            if (source != destination)
                given.flows.push_back({source, destination, 3, 5000});
    return given;
}

} // namespace

TEST_CASE("jobs are packed exactly where there is a place for all, and no cell is taken twice",
          "[schedules][slots]")
{
    std::mt19937 random(11);
    unsigned possible = 0;
    constexpr unsigned rounds = 400;
    for (unsigned round = 0; round < rounds; ++round) {
        const PackingTable table{1 + static_cast<std::uint32_t>(random() % 3),
                                 2 + static_cast<std::uint32_t>(random() % 4)};
        const std::vector<PackingJob> jobs = random_jobs(random, table);
        CAPTURE(round);
        const auto places = pack(table, jobs, {2000, 1'000'000, {}});
        REQUIRE(places.has_value() == exists(table, jobs, 0, {}));
        if (!places)
            continue;
        ++possible;
        REQUIRE(places->size() == jobs.size());
        Cells taken;
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            CHECK((*places)[job].starts.size() == jobs[job].count);
            for (const std::uint32_t start : (*places)[job].starts)
                CHECK(take(taken, table, jobs[job].options[(*places)[job].option], start));
        }
    }
    CHECK(possible > rounds / 4);
    CHECK(possible < rounds - rounds / 8);
}

TEST_CASE("an all-to-all has a table at or near the bound by its loads", "[schedules][slots]")
{
    struct Case {
        const char* topology;
        std::uint32_t most;  ///< slots
        std::uint32_t bound; ///< by the loads of channels and interfaces
    };
    // Published are 19, 85 and 151 for the tori (Sørensen et al., ISORC 2014).
    const std::vector<Case> by_day{{"torus:4x4", 16, 15}, {"mesh:4x4", 16, 16}, {"ring:6", 6, 5}};
    const std::vector<Case> by_night{
        {"hypercube:4", 16, 15}, {"torus:8x8", 64, 64}, {"torus:10x10", 128, 125}, {"mesh:8x8", 128, 128}};
    std::vector<Case> cases = by_day;
    if (is_nightly())
        cases.insert(cases.end(), by_night.begin(), by_night.end());
    for (const Case& each : cases) {
        CAPTURE(each.topology);
        const SlotCase given = all_to_all(each.topology);
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, {});
        REQUIRE(found.table);
        CHECK(found.table->slots <= each.most);
        CHECK(found.table->slots >= each.bound);
        CHECK(check_slots(given.topology, given.timing, given.flows, *found.table).empty());
        if (each.most == each.bound)
            CHECK(*find_slots(given.topology, given.timing, given.flows, {}).table == *found.table);
        // One slot fewer than the bound is refused without a search.
        const FoundSlots fewer =
            find_slots(given.topology, given.timing, given.flows, {.slots = each.bound - 1});
        CHECK(!fewer.table);
        CHECK(fewer.is_proof);
    }
}

TEST_CASE("the period is the shortest one that has a table", "[schedules][slots]")
{
    std::mt19937 random(23);
    unsigned longer_than_one = 0;
    for (unsigned round = 0; round < 60; ++round) {
        const SlotCase given = random_slot_case(random, 2 + round % 5, 0.15);
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, {.conflicts = 20'000});
        if (!found.table)
            continue;
        longer_than_one += found.table->slots > 1 ? 1 : 0;
        for (std::uint32_t slots = 1; slots < std::min(found.table->slots, 12u); ++slots) {
            CAPTURE(round, slots, found.table->slots);
            CHECK(!find_slots(given.topology, given.timing, given.flows, {.slots = slots, .conflicts = 2000})
                       .table);
        }
    }
    CHECK(longer_than_one > 20);
}

} // namespace nocturne::slot_packing_test
