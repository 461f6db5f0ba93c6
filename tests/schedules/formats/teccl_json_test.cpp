// Schedules as TE-CCL prints them.
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/printed_schedules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace nocturne::teccl_json_test {

using test::star;
using test::with;

namespace {

/// Three GPUs around a switch that has the number 1.
std::string teccl_text(const std::string& flows)
{
    std::string demands;
    for (const int from : {0, 2, 3}) {
        demands += fmt::format("{}\"GPU {}\": {{", demands.empty() ? "" : ", ", from);
        bool is_first = true;
        for (const int to : {0, 2, 3})
            if (to != from) {
                demands += fmt::format("{}\"GPU {}\": {{\"Chunk 0\": 1}}", is_first ? "" : ", ", to);
                is_first = false;
            }
        demands += "}";
    }
    return fmt::format("{{\"1-Epoch_Duration\": 1, \"6-Demand_Met\": {{{}}}, \"7-Flows\": [{}]}}", demands,
                       flows);
}

const std::string all_flows = R"("Chunk 0 from 0 traveled over 2->3 in epoch 1 via switches 1",
    "Chunk 0 from 0 traveled over 0->2 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->0 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->3 in epoch 2 via switches 1",
    "Chunk 0 from 3 traveled over 3->0 in epoch 1 via switches 1",
    "Chunk 0 from 3 traveled over 3->2 in epoch 1 via switches 1")";

/// Of each demand, the paths of its parts.
using Demands = std::map<std::string, std::vector<std::vector<std::string>>>;

std::string alltoall_text(const Demands& demands)
{
    std::string text;
    for (const auto& [name, paths] : demands) {
        std::vector<std::string> texts;
        for (const auto& path : paths) {
            std::vector<std::string> hops;
            for (const std::string& hop : path)
                hops.push_back(fmt::format("[0, \"{}\"]", hop));
            texts.push_back(fmt::format("[{}]", fmt::join(hops, ", ")));
        }
        text += fmt::format("{}\"{}\": [{}]", text.empty() ? "" : ", ", name, fmt::join(texts, ", "));
    }
    return fmt::format("{{\"1-Epoch_Duration\": 1, \"8-Chunk paths\": {{{}}}}}", text);
}

/// Each whole, over the switch 1.
Demands direct_demands(const std::vector<std::uint32_t>& gpus)
{
    Demands demands;
    for (const std::uint32_t from : gpus)
        for (std::uint32_t rank = 0; rank < gpus.size(); ++rank)
            if (gpus[rank] != from)
                demands[fmt::format("Demand at {} for chunk {} from {} met by epoch 0", gpus[rank], rank,
                                    from)] = {
                    {fmt::format("{}->{} with volume 1.0 in epoch 0 via switches 1", from, gpus[rank])}};
    return demands;
}

std::uint64_t weight_between(const Collective& collective, std::uint32_t from, std::uint32_t to)
{
    std::uint64_t weight = 0;
    for (const Demand& demand : collective.demands)
        if (demand.receiver == to && demand.contributors == std::vector<std::uint32_t>{from})
            weight += collective.chunks[demand.chunk].weight;
    return weight;
}

} // namespace

TEST_CASE("flows of TE-CCL are read, judged, and found wanting", "[chunks][formats]")
{
    const std::string text = teccl_text(all_flows);
    REQUIRE(is_teccl_json(text));
    const ForeignSchedule read = read_teccl_json(text, "t.json", star());
    CHECK(validate(read.schedule, star()).empty());
    CHECK(read.schedule.collective == allgather({.processors = 3}));
    CHECK(count_transfers(read.schedule) == 6);
    CHECK(read.places.front() == "flow 2"); // of epoch 0
    const std::vector<ListedTransfer> listed = list_transfers(read.schedule);
    CHECK(std::count_if(listed.begin(), listed.end(),
                        [](const ListedTransfer& one) { return !one.after.empty(); }) == 1);

    // What has not come yet is not there.
    const ForeignSchedule early =
        read_teccl_json(teccl_text(with(all_flows, "2->3 in epoch 1", "2->3 in epoch 0")), "t.json", star());
    const auto violations = validate(early.schedule, star());
    REQUIRE_FALSE(violations.empty());
    CHECK(violations.front().rule == Rule::nothing_there);
}

TEST_CASE("a GPU that a file treats as a switch is called one", "[chunks][formats]")
{
    LinkNetwork ring("ring", 4);
    for (const NodeId node : {0u, 1u, 2u, 3u})
        ring.add_links(node, (node + 1) % 4, 4, 1);
    // Processor 1 is crossed, and has nothing of its own.
    const ForeignSchedule read = read_teccl_json(teccl_text(all_flows), "t.json", ring);
    CHECK(read.schedule.name == "3 of 4 processors");
    const auto violations = validate(read.schedule, ring);
    REQUIRE_FALSE(violations.empty());
    CHECK(violations.front().rule == Rule::crossed_node);
    CHECK(violations.front().processor == 1U);
}

TEST_CASE("paths of TE-CCL's all-to-alls are read with their volumes", "[chunks][formats]")
{
    // 0.4 of what 0 owes 3 goes over 2; two parts of it start at the same time with the same volume.
    Demands demands = direct_demands({0, 2, 3});
    demands["Demand at 3 for chunk 2 from 0 met by epoch 0"] = {
        {"0->2 with volume 0.2 in epoch 0 via switches 1", "2->3 with volume 0.2 in epoch 1 via switches 1"},
        {"0->2 with volume 0.2 in epoch 0 via switches 1", "2->3 with volume 0.2 in epoch 2 via switches 1"},
        {"0->3 with volume 0.6 in epoch 0 via switches 1"}};
    const std::string third = "2->0 with volume 0.333333 in epoch 0 via switches 1";
    demands["Demand at 0 for chunk 0 from 2 met by epoch 0"] = {{third}, {third}, {third}};
    const ForeignSchedule read = read_teccl_json(alltoall_text(demands), "t.json", star());
    CHECK(read.violations.empty());
    CHECK(validate(read.schedule, star()).empty());
    const Collective& collective = read.schedule.collective;
    CHECK(collective.kind == CollectiveKind::custom);
    CHECK(collective.chunks.size() == 10);
    CHECK(count_transfers(read.schedule) == 12);
    for (std::uint32_t from = 0; from < 3; ++from)
        for (std::uint32_t to = 0; to < 3; ++to)
            CHECK(weight_between(collective, from, to) == (from == to ? 0U : 1000000U));
    CHECK(read.places.back() == "chunk 2 from 0 for 3");

    const auto& [what, other, rule, text] = GENERATE(table<std::string, std::string, Rule, std::string>(
        {{"2->3 with volume 0.2 in epoch 1", "2->3 with volume 0.2 in epoch 0", Rule::nothing_there,
          "chunk 2 from 0 for 3 leaves node 2 in epoch 0, when it has not come there"},
         {"0->3 with volume 0.6", "0->3 with volume 0.5", Rule::undelivered,
          "0.1 of chunk 2 from 0 do not go to node 3"},
         {"0->3 with volume 0.6", "0->3 with volume 0.61", Rule::extra_contribution,
          "0.01 of chunk 2 from 0 too much go to node 3"},
         {"0.333333", "0.333329", Rule::undelivered, "5e-06 of chunk 0 from 2 do not go to node 0"}}));
    const ForeignSchedule damaged =
        read_teccl_json(with(alltoall_text(demands), what, other), "t.json", star());
    REQUIRE(damaged.violations.size() == 1);
    CHECK(damaged.violations.front().rule == rule);
    CHECK(damaged.violations.front().text == text);
}

TEST_CASE("all-to-alls over any paths are read, and what is left out is found", "[chunks][formats]")
{
    constexpr std::uint32_t n = 5;
    LinkNetwork network("complete", n);
    for (NodeId a = 0; a < n; ++a)
        for (NodeId b = a + 1; b < n; ++b)
            network.add_links(a, b, 4, 1);
    const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{13}));
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    Demands demands;
    for (std::uint32_t root = 0; root < n; ++root)
        for (std::uint32_t to = 0; to < n; ++to) {
            if (root == to)
                continue;
            auto& paths =
                demands[fmt::format("Demand at {} for chunk {} from {} met by epoch 9", to, to, root)];
            paths.resize(1 + below(4));
            std::uint32_t left = 1000000;
            for (std::size_t i = 0; i < paths.size(); ++i) {
                const std::uint32_t part = i + 1 == paths.size() ? left : left / 2 - below(100000);
                left -= part;
                std::vector<std::uint32_t> nodes(n);
                std::iota(nodes.begin(), nodes.end(), 0U);
                std::shuffle(nodes.begin(), nodes.end(), random);
                std::erase_if(nodes, [&](std::uint32_t node) { return node == root || node == to; });
                nodes.resize(below(n - 1));
                nodes.insert(nodes.begin(), root);
                nodes.push_back(to);
                std::uint32_t epoch = below(3);
                for (std::size_t hop = 0; hop + 1 < nodes.size(); ++hop, epoch += 1 + below(2))
                    paths[i].push_back(fmt::format("{}->{} with volume {:.6f} in epoch {}", nodes[hop],
                                                   nodes[hop + 1], part * 1e-6, epoch));
            }
        }
    const ForeignSchedule read = read_teccl_json(alltoall_text(demands), "t", network);
    REQUIRE(read.violations.empty());
    REQUIRE(validate(read.schedule, network).empty());
    const std::uint64_t whole = weight_between(read.schedule.collective, 0, 1);
    for (std::uint32_t from = 0; from < n; ++from)
        for (std::uint32_t to = 0; to < n; ++to)
            CHECK(weight_between(read.schedule.collective, from, to) == (from == to ? 0U : whole));

    // A hop, a path, a demand.
    const auto broken = std::next(demands.begin(), below(demands.size()));
    CAPTURE(seed, broken->first);
    Demands less = demands;
    auto& path = less[broken->first].front();
    if (path.size() > 1) {
        path.erase(path.begin() + below(path.size()));
        CHECK_FALSE(validate(read_teccl_json(alltoall_text(less), "t", network).schedule, network).empty());
    }
    less = demands;
    less[broken->first].pop_back();
    CHECK_FALSE(read_teccl_json(alltoall_text(less), "t", network).violations.empty());
    less.erase(broken->first);
    CHECK_THROWS_WITH(read_teccl_json(alltoall_text(less), "t", network),
                      "t: its demands are no all-to-all of 5 GPUs in 1 chunks");
}

TEST_CASE("a switch of TE-CCL's that copies is entered once an epoch", "[chunks][formats]")
{
    LinkNetwork copying("star", 3);
    const NodeId hub = copying.add_switch(NodeKind::copying_switch, "hub");
    for (const NodeId processor : {0u, 1u, 2u})
        copying.add_links(processor, hub, 4, 1);
    const std::string text = teccl_text(R"("Chunk 0 from 0 traveled over 0->2 in epoch 0 via switches 1",
    "Chunk 0 from 0 traveled over 0->3 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->0 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->3 in epoch 1 via switches 1",
    "Chunk 0 from 3 traveled over 3->0 in epoch 1 via switches 1",
    "Chunk 0 from 3 traveled over 3->2 in epoch 1 via switches 1")");
    const ForeignSchedule read = read_teccl_json(text, "t.json", copying);
    CHECK(validate(read.schedule, copying).empty());
    // 0 and 3 enter once, 2 in each of two epochs; each of six leaves.
    const Step& transfers = read.schedule.steps.front();
    CHECK(std::count_if(transfers.begin(), transfers.end(),
                        [&](const auto& t) { return t.destination == hub; }) == 4);
    CHECK(std::count_if(transfers.begin(), transfers.end(), [&](const auto& t) { return t.source == hub; }) ==
          6);
    // A plain switch is crossed six times.
    CHECK(count_transfers(read_teccl_json(text, "t.json", star()).schedule) == 6);
}

} // namespace nocturne::teccl_json_test
