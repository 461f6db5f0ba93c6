#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "schedules/slots/slot_search.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/contracts/contract_check.hpp"
#include "sim/contracts/contract_hardware.hpp"
#include "tests/catch.hpp"

#include <random>
#include <string>
#include <vector>

namespace nocturne::contract_check_test {

using Catch::Contains;

namespace {

struct Design {
    std::string network;
    std::string stages = "standard";
    std::uint32_t slot_flits = 3;
    std::size_t flows = 6;
    unsigned link_cycles = 1;
};

HardwareConfig hardware_for(const Design& design, ArbiterKind arbiter = ArbiterKind::priority)
{
    HardwareConfig hardware;
    hardware.buffer_flits = 0;
    hardware.link_cycles = design.link_cycles;
    hardware.allocation.arbiter = arbiter;
    if (design.stages == "lookahead")
        hardware.router = lookahead_pipeline;
    hardware.vcs = 4; // three for best effort, one or more for the flows
    return hardware;
}

/// Flows between random processors, each of some 2 to 10 % of a link.
std::vector<GuaranteedFlow> random_flows(const Topology& topology, const SlotTiming& timing,
                                         std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(0, most - 1)(random);
    };
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<GuaranteedFlow> flows;
    while (flows.size() < count) {
        GuaranteedFlow flow{below(processors), below(processors), 1 + below(20)};
        flow.message_cycles = std::uint64_t{packets_of(flow, timing)} * timing.slot_cycles * (10 + below(40));
        flow.burst_messages = 1 + below(3);
        if (flow.source != flow.destination)
            flows.push_back(flow);
    }
    return flows;
}

nlohmann::json seen_in(const Design& design, std::uint64_t cycles, const HardwareConfig& hardware,
                       std::uint32_t seed)
{
    const Topology topology = make_topology(design.network);
    const SlotTiming timing = slot_timing(topology, hardware_for(design), design.slot_flits);
    const std::vector<GuaranteedFlow> flows = random_flows(topology, timing, design.flows, seed);
    const FoundSlots found = find_slots(topology, timing, flows, {});
    if (!found.table)
        throw std::runtime_error(found.reason);
    const SeenContracts seen =
        check_contracts(topology, hardware, timing, flows, *found.table, {.cycles = cycles, .seed = seed});
    nlohmann::json result{{"stalled", seen.stall.has_value()},
                          {"best_effort", seen.best_effort_rate},
                          {"flows", nlohmann::json::array()}};
    for (std::size_t i = 0; i < flows.size(); ++i)
        result["flows"].push_back(
            {{"bound", contract_of(topology, timing, flows[i], found.table->flows[i], found.table->slots)
                           .latency_cycles},
             {"seen", seen.flows[i].latency_cycles},
             {"messages", seen.flows[i].messages},
             {"violations", seen.flows[i].violations},
             {"late", seen.flows[i].late_packets}});
    return result;
}

/// Ten networks of every kind: grids, one-way rings, self-routing switches, trees, groups.
const std::vector<Design> designs{
    {"mesh:4x4"},         {"torus:4x4", "lookahead"},          {"ring:8", "standard", 8},
    {"hypercube:4"},      {"omega:8", "standard", 4},          {"octagon:8", "lookahead", 1},
    {"oneway_torus:4x4"}, {"mesh:2x3x3", "standard", 2, 6, 3}, {"debruijn:2,4"},
    {"hexamesh:2"}};

std::vector<nlohmann::json> all_seen(std::uint64_t cycles, ArbiterKind arbiter)
{
    std::vector<Job> jobs;
    for (std::uint32_t i = 0; i < designs.size(); ++i)
        jobs.emplace_back(
            [=] { return seen_in(designs[i], cycles, hardware_for(designs[i], arbiter), i + 1); });
    return run_jobs(jobs, {});
}

void check_seen(const std::vector<nlohmann::json>& all)
{
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(designs[i].network);
        CHECK(all[i]["stalled"] == false);
        CHECK(all[i]["best_effort"] > 0.1); // it was there
        for (const nlohmann::json& flow : all[i]["flows"]) {
            CHECK(flow["messages"] >= 3);
            CHECK(flow["violations"] == 0);
            CHECK(flow["late"] == 0);
            CHECK(flow["seen"] <= flow["bound"]);
            CHECK(flow["seen"].get<double>() >= 0.95 * flow["bound"].get<double>());
        }
    }
}

} // namespace

TEST_CASE("on ten networks no message takes longer than its contract, and some as long", "[sim][contracts]")
{
    check_seen(all_seen(20'000, ArbiterKind::priority));
}

TEST_CASE("in a million cycles each", "[.][sim][contracts]")
{
    check_seen(all_seen(1'000'000, ArbiterKind::priority));
}

TEST_CASE("without priority contracts are broken", "[sim][contracts]")
{
    std::uint64_t violations = 0, late = 0;
    for (const nlohmann::json& seen : all_seen(5'000, ArbiterKind::round_robin))
        for (const nlohmann::json& flow : seen["flows"]) {
            violations += flow["violations"].get<std::uint64_t>();
            late += flow["late"].get<std::uint64_t>();
        }
    CHECK(violations > 100);
    CHECK(late > 1000);
}

TEST_CASE("in a table with a conflict packets are late", "[sim][contracts]")
{
    const Topology topology = make_topology("mesh:1x4");
    const Design design{"mesh:1x4"};
    const SlotTiming timing = slot_timing(topology, hardware_for(design), 3);
    const std::vector<GuaranteedFlow> flows{{0, 3, 3, 20}, {1, 3, 3, 20}};
    FoundSlots found = find_slots(topology, timing, flows, {.slots = 4});
    REQUIRE(found.table);
    // The second begins where the first comes by.
    found.table->flows[1].starts = {(found.table->flows[0].starts[0] + 5) % 20};
    REQUIRE(!check_slots(topology, timing, flows, *found.table).empty());
    const Job job = [&]() -> nlohmann::json {
        const SeenContracts seen =
            check_contracts(topology, hardware_for(design), timing, flows, *found.table, {.cycles = 5000});
        return seen.flows[0].late_packets + seen.flows[1].late_packets;
    };
    CHECK(run_jobs(std::span(&job, 1), {}).front() > 100);
}

TEST_CASE("hardware on which guaranteed packets could wait is refused", "[sim][contracts]")
{
    const Topology topology = make_topology("mesh:2x2");
    const auto refused_on = [](const Topology& network, const HardwareConfig& hardware,
                               std::uint32_t slot_flits = 3) {
        try {
            slot_timing(network, hardware, slot_flits);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto refused = [&](const HardwareConfig& hardware, std::uint32_t slot_flits = 3) {
        return refused_on(topology, hardware, slot_flits);
    };
    HardwareConfig hardware = hardware_for({"mesh:2x2"});
    CHECK(refused(hardware).empty());
    CHECK_THAT(refused(hardware, 0), Contains("slots of 0 flits"));
    hardware.buffer_flits = 7;
    CHECK_THAT(refused(hardware), Contains("8 are needed"));
    hardware = hardware_for({"mesh:2x2"});
    hardware.router = speculative_pipeline;
    CHECK_THAT(refused(hardware), Contains("speculative"));
    hardware = hardware_for({"mesh:2x2"}, ArbiterKind::age);
    CHECK_THAT(refused(hardware), Contains("--arbiter priority"));
    hardware = hardware_for({"mesh:2x2"});
    hardware.allocation.switch_allocator = AllocatorKind::wavefront;
    CHECK_THAT(refused(hardware), Contains("wavefront"));
    hardware = hardware_for({"mesh:2x2"});
    for (const char* row : {"router 0*: pipeline=2,1,1,1", "router 00: clock=1/2", "router *: buffers=20",
                            "link 00->01: vcs=2", "router 11: arbiter=age", "router *: injection=3",
                            "router 00: ejection=3.5", "router 00: pool=4"}) {
        CAPTURE(row);
        const std::vector<std::string> rows{row};
        CHECK_THAT(refused_on(with_parts(topology, rows), hardware),
                   Contains("of its own, and slots are those of routers and links that are all alike"));
    }
    const std::vector<std::string> longer{"link 00->01: latency=3"};
    CHECK(refused_on(with_parts(topology, longer), hardware).empty());
}

} // namespace nocturne::contract_check_test
