#include "models/text/csv.hpp"
#include "models/topology/files.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "sim/audit/audit.hpp"
#include "sim/audit/limit_text.hpp"
#include "sim/audit/usual_algorithms.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <vector>

namespace nocturne::audit_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// In tenths of GB/s: a cycle is 10 ns.
constexpr double cycle_ns = 10;
std::uint64_t tenths(double gigabytes)
{
    return static_cast<std::uint64_t>(std::llround(10 * gigabytes));
}

struct Machine {
    std::uint32_t boxes, each;
    double link; ///< GB/s of a GPU to the switch of its box, or in all to the other GPUs
    double nic;  ///< GB/s of a box to the switch between boxes
    bool is_mesh = false;
};

LinkNetwork network_of(const Machine& machine)
{
    LinkNetwork network("machine", machine.boxes * machine.each);
    const NodeId core = machine.boxes > 1 ? network.add_switch(NodeKind::plain_switch, "core") : 0;
    for (std::uint32_t box = 0; box < machine.boxes; ++box) {
        const auto gpu = [&](std::uint32_t i) { return box * machine.each + i; };
        for (std::uint32_t i = 0; machine.is_mesh && i < machine.each; ++i)
            for (std::uint32_t j = 0; j < i; ++j)
                network.add_links(gpu(i), gpu(j), tenths(machine.link / (machine.each - 1)), 1);
        if (!machine.is_mesh && machine.each > 1) {
            const NodeId inside = network.add_switch(NodeKind::plain_switch, fmt::format("box{}", box));
            for (std::uint32_t i = 0; i < machine.each; ++i)
                network.add_links(gpu(i), inside, tenths(machine.link), 1);
            if (machine.boxes > 1)
                network.add_links(inside, core, tenths(machine.nic), 1);
        }
        for (std::uint32_t i = 0;
             machine.boxes > 1 && (machine.is_mesh || machine.each == 1) && i < machine.each; ++i)
            network.add_links(gpu(i), core, tenths(machine.nic / machine.each), 1);
    }
    return network;
}

AuditResult audit_of(const MeasuredRun& run, const LinkNetwork& network, CollectiveKind kind,
                     bool switches_add = false)
{
    AuditResult result = empty_audit(network, cycle_ns);
    add_audit(result, run, network, of_kind(kind, {.processors = network.processor_count()}),
              {.cycle_ns = cycle_ns, .switches_add = switches_add});
    return result;
}

MeasuredRun run_with(CollectiveKind kind, std::uint64_t size, double time_us)
{
    return {.tool = "nccl-tests", .kind = kind, .rows = {{.line = 1, .size = size, .time_us = time_us}}};
}

/// In bytes a cycle.
double limit_of(const std::vector<AlgorithmLimit>& limits, std::string_view algorithm)
{
    const auto found = std::ranges::find(limits, algorithm, &AlgorithmLimit::algorithm);
    return found == limits.end() ? 0 : found->bus_bytes_per_cycle;
}

std::vector<AlgorithmLimit> limits_of(const LinkNetwork& network, CollectiveKind kind)
{
    std::vector<std::uint32_t> members(network.processor_count());
    std::iota(members.begin(), members.end(), 0U);
    return usual_algorithms(network, kind, members, cycle_ns, {});
}

/// Adds a byte to each link of a shortest path.
void send(const LinkNetwork& network, NodeId from, NodeId to, std::vector<double>& load, SplitMix64& random)
{
    std::vector<std::optional<LinkId>> by(network.node_count());
    std::deque<NodeId> open{from};
    while (!open.empty() && !by[to]) {
        const NodeId node = open.front();
        open.pop_front();
        std::vector<LinkId> links(network.links_from(node).begin(), network.links_from(node).end());
        for (auto i = static_cast<std::uint32_t>(links.size()); i > 1; --i)
            std::swap(links[i - 1], links[random.below(i)]);
        for (const LinkId link : links)
            if (const NodeId target = network.link(link).target; target != from && !by[target]) {
                by[target] = link;
                open.push_back(target);
            }
    }
    REQUIRE(by[to]);
    for (NodeId node = to; node != from; node = network.link(*by[node]).source)
        load[*by[node]] += 1;
}

/// How often so much can be sent in a cycle.
double rate_of(const LinkNetwork& network, const std::vector<double>& load)
{
    double rate = HUGE_VAL;
    for (LinkId link = 0; link < network.link_count(); ++link)
        if (load[link] > 0)
            rate = std::min(rate, static_cast<double>(network.link(link).bytes_per_cycle) / load[link]);
    return rate;
}

} // namespace

TEST_CASE("two trees over n nodes bring at most twice the vector into one", "[audit]")
{
    CHECK(double_tree_load(2) == 1);
    CHECK(double_tree_load(3) == 1.5);
    for (std::uint32_t nodes = 4; nodes < 100; ++nodes)
        CHECK(double_tree_load(nodes) == 2);
}

TEST_CASE("limits of a box, of two and of four, by hand", "[audit]")
{
    using enum CollectiveKind;
    const auto bus = [](const LinkNetwork& network, CollectiveKind kind, const char* algorithm) {
        return limit_of(limits_of(network, kind), algorithm) / cycle_ns;
    };
    const LinkNetwork box = network_of({1, 8, 450, 0});
    CHECK(bus(box, allreduce, "ring") == Approx(450));
    CHECK(bus(box, allreduce, "double tree") == Approx(450 * 7 / 8.0));
    CHECK(bus(box, allreduce, "direct exchange") == Approx(450));
    CHECK(bus(box, allreduce, "addition in switches") == Approx(450 * 7 / 4.0));
    CHECK(bus(box, allgather, "ring") == Approx(450));
    CHECK(bus(box, allgather, "addition in switches") == 0);
    CHECK(limits_of(box, alltoall).empty());
    const LinkNetwork two = network_of({2, 8, 450, 100});
    CHECK(bus(two, allreduce, "ring") == Approx(100));
    CHECK(bus(two, allreduce, "double tree") == Approx(100 * 15 / 8.0));
    // Each GPU sends eight blocks, a sixteenth each, over the NICs, twice.
    CHECK(bus(two, allreduce, "direct exchange") == Approx(100 * 15 / 64.0));
    const LinkNetwork four = network_of({4, 8, 450, 100});
    CHECK(bus(four, allreduce, "double tree") == Approx(100 * 31 / 32.0));
    // A ring without switches has nothing that could add.
    const LinkNetwork ring = grid({.sides = {4}, .bytes_per_cycle = {10}, .wraps = true});
    CHECK(bus(ring, allreduce, "ring") == Approx(2));
    CHECK(bus(ring, allreduce, "addition in switches") == 0);
}

TEST_CASE("no rings and no direct exchange are above their limits", "[audit][property]")
{
    SplitMix64 random(11);
    for (unsigned i = 0; i < 100; ++i) {
        CAPTURE(i);
        const LinkNetwork network = i % 2 == 0
                                        ? random_boxes(random)
                                        : random_links(random, {.least_processors = 3, .most_switches = 2});
        const std::uint32_t n = network.processor_count();
        const std::vector<AlgorithmLimit> limits = limits_of(network, CollectiveKind::allreduce);
        // Several rings at once, each with a share of the vector.
        const auto rings = 1 + random.below(3);
        std::vector<double> load(network.link_count());
        for (std::uint64_t ring = 0; ring < rings; ++ring) {
            std::vector<std::uint32_t> order(n);
            std::iota(order.begin(), order.end(), 0U);
            for (std::uint32_t at = n; at > 1; --at)
                std::swap(order[at - 1], order[random.below(at)]);
            for (std::uint32_t at = 0; at < n; ++at)
                send(network, order[at], order[(at + 1) % n], load, random);
        }
        CHECK(static_cast<double>(rings) * rate_of(network, load) <= limit_of(limits, "ring") * (1 + 1e-9));
        std::vector<double> blocks(network.link_count());
        for (std::uint32_t from = 0; from < n; ++from)
            for (std::uint32_t to = 0; to < n; ++to)
                if (from != to)
                    send(network, from, to, blocks, random);
        CHECK((n - 1) * rate_of(network, blocks) <= limit_of(limits, "direct exchange") * (1 + 1e-6));
    }
}

TEST_CASE("the verdict says share, ring and limit, or why there is more than the bound", "[audit]")
{
    using enum CollectiveKind;
    const LinkNetwork box = network_of({1, 8, 450, 0});
    // A GB in t us: of bus bandwidth 1750 / t of a TB/s.
    const auto verdict = [&](const LinkNetwork& network, double bus, bool switches_add = false) {
        const double n = network.processor_count();
        return audit_of(run_with(allreduce, 1'000'000'000, 2 * (n - 1) / n * 1e6 / bus), network, allreduce,
                        switches_add)
            .runs.front()
            .verdict;
    };
    CHECK(verdict(box, 365) ==
          "365 of 450 GB/s: 81 % of what the links carry; limit: 450 GB/s into each of 8 processors");
    CHECK(verdict(box, 440) ==
          "440 of 450 GB/s: 98 % of what the links carry, and all that a ring reaches; limit: 450 "
          "GB/s into each of 8 processors");
    CHECK_THAT(verdict(box, 482), Contains("more than any all-reduce without addition in switches") &&
                                      Contains("788 GB/s, of which it is 61 %"));
    CHECK_THAT(verdict(box, 482, true),
               Contains("482 of 788 GB/s: 61 % of what the links carry where switches add"));
    CHECK_THAT(verdict(box, 900), Contains("more than the network carries"));
    const LinkNetwork three = network_of({3, 8, 300, 100});
    CHECK_THAT(verdict(three, 96.7),
               Contains("67 % of what the links carry, and all that a ring reaches; limit: 100 GB/s "
                        "into each of 3 boxes of 8 processors"));
    CHECK_THAT(verdict(three, 50), Contains(", and 50 % of the 100 GB/s that a ring reaches"));
    const LinkNetwork ring = grid({.sides = {4}, .bytes_per_cycle = {10}, .wraps = true});
    CHECK_THAT(verdict(ring, 3), Contains("more than the network carries"));
    CHECK_THROWS_WITH(verdict(ring, 1, true),
                      Contains("--switches-add: only of an all-reduce on a network with switches"));
}

TEST_CASE("wrong rows do not count, and a run of them is none to judge", "[audit]")
{
    const LinkNetwork box = network_of({1, 8, 450, 0});
    MeasuredRun run = run_with(CollectiveKind::allgather, 1 << 20, 100);
    run.rows.push_back({.line = 2, .size = 1 << 21, .time_us = 1, .is_wrong = true});
    AuditResult result = audit_of(run, box, CollectiveKind::allgather);
    CHECK(result.runs.front().bytes == 1 << 20);
    CHECK(result.rows.size() == 2);
    CHECK(result.rows.back().note == "wrong results: does not count");
    run.rows.erase(run.rows.begin());
    result = audit_of(run, box, CollectiveKind::allgather);
    CHECK_FALSE(result.runs.front().bytes);
    CHECK(result.limits.empty());
    CHECK_THAT(result.runs.front().verdict, Contains("nothing to judge"));
}

// Of machines whose rates are known. Measured times are of public trackers, named in the file; rates are
// makers' figures: NVLink 3 and 4 and C2C, xGMI, PCIe, NICs.
TEST_CASE("what people have measured is within the bounds of their machines, or switches add", "[audit]")
{
    struct Known {
        Machine machine;
        bool switches_add = false;
        double best_percent; ///< of the bound, by hand: of bandwidths, 2(n-1)/n into GPUs or boxes
    };
    const std::map<std::string, Known> machines{{"h200x8", {{1, 8, 450, 0}, true, 107.2}},
                                                {"gb200x4", {{1, 4, 900, 0}, true, 75.5}},
                                                {"mi300x16_ainic", {{2, 8, 448, 400, true}, false, 72.5}},
                                                {"v100x256_dgx2", {{16, 16, 150, 100}, false, 67.3}},
                                                {"v100x64_ib100", {{8, 8, 150, 12.5}, false, 30.8}},
                                                {"gb10x2", {{2, 1, 0, 25}, false, 75.7}},
                                                {"h100x2_4nic", {{2, 1, 0, 63}, false, 65.6}},
                                                {"mi350x16", {{2, 8, 537.6, 400, true}, false, 39.1}},
                                                {"h100x4", {{1, 4, 450, 0}, false, 26.9}},
                                                {"h20x8", {{1, 8, 450, 0}, true, 13.8}},
                                                {"a100pcie_vm", {{1, 2, 31.5, 0}, false, 15.4}}};
    const std::string text = read_file(MEASURED_ROWS);
    std::map<std::string, std::string> logs;
    std::string_view rest = text;
    const std::string header(rest.substr(0, rest.find('\n') + 1));
    for (rest.remove_prefix(header.size()); !rest.empty();) {
        const std::string line(rest.substr(0, rest.find('\n') + 1));
        rest.remove_prefix(line.size());
        std::string& log = logs[csv_fields(line.substr(0, line.size() - 1)).at(1)];
        if (log.empty())
            log = header;
        log += line;
    }
    for (const auto& [name, known] : machines) {
        CAPTURE(name);
        REQUIRE(logs.contains(name));
        const LinkNetwork network = network_of(known.machine);
        double best = 0;
        for (const MeasuredRun& run : read_measured_log(logs[name], name).runs) {
            CHECK(run.ranks == network.processor_count());
            const AuditResult result = audit_of(run, network, *run.kind);
            for (const AuditRow& row : result.rows) {
                CAPTURE(row.bytes, row.note);
                if (!known.switches_add || run.kind != CollectiveKind::allreduce)
                    CHECK(row.share_percent < 100);
                if (name != "v100x8_mesh")
                    CHECK_THAT(row.note, !Contains("algbw"));
            }
            const double here = *result.runs.front().share_percent;
            if (run.kind != CollectiveKind::alltoall || best == 0)
                best = std::max(best, here);
            if (run.kind == CollectiveKind::allreduce && known.switches_add)
                CHECK(*audit_of(run, network, *run.kind, true).runs.front().share_percent < 100);
        }
        CHECK(best == Approx(known.best_percent).margin(0.06));
    }
}

TEST_CASE("limits are said from the side with fewer processors", "[audit]")
{
    const LinkNetwork network = network_of({2, 4, 450, 100});
    CHECK(cut_text({{0}}, network, cycle_ns) == "450 GB/s out of 0");
    CHECK(cut_text({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, network, cycle_ns) == "450 GB/s into 0");
    CHECK(cut_text({{0, 1, 2, 3, 9}}, network, cycle_ns) == "100 GB/s out of 0 to 3 (4 processors)");
    CHECK(processors_text({0, 2, 5}, network) == "0, 2 and 5");
}

} // namespace nocturne::audit_test
