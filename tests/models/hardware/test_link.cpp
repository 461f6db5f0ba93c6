// A link: when flits and credits are there, what is told of them, and what is lost when it fails.
#include "models/hardware/link.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace nocturne::link_test {

namespace {

/// An end of a link: sends in the cycles that it is told, and keeps what comes.
class End final : public Clocked {
public:
    static constexpr std::uint32_t arrival = 100; ///< code of what comes on virtual channel 0

    End(ClockDomain& domain, bool returns_credits) : domain_(domain), returns_credits_(returns_credits) {}
    void on_event(std::uint32_t code, std::uint64_t data) override
    {
        if (code < arrival) {
            link->send(Flit(data), vc, domain_.now());
            return;
        }
        came.push_back({domain_.now(), code - arrival, data});
        if (returns_credits_)
            link->return_credit(vc);
    }
    struct Came {
        Cycle at;
        unsigned vc;
        std::uint64_t data;
    };
    std::vector<Came> came;
    Link* link = nullptr;
    unsigned vc = 3;

private:
    ClockDomain& domain_;
    const bool returns_credits_;
};

struct LinkBench {
    explicit LinkBench(const LinkConfig& config) : link(domain, config)
    {
        sender.link = receiver.link = &link;
        link.connect_sender(sender, End::arrival);
        link.connect_receiver(receiver, End::arrival);
    }
    /// A packet whose flits are committed from a cycle on, as soon after each other as can be.
    void send(Cycle from, std::uint32_t flits)
    {
        const PacketId id = packets.acquire();
        for (std::uint32_t i = 0; i < flits; ++i)
            domain.schedule(from + std::uint64_t{i} * link.config().cycles_per_flit, sender, 0,
                            Flit(id, i, flits).word());
        sent += flits;
    }
    /// Runs to the end, and checks what holds of every fault: all credits come back, and who arrives or is
    /// lost is counted once. The flits that have come: `H`ead, `b`ody, `T`ail, `X` poison; a head that is a
    /// tail is an `S`ingle flit.
    std::string run()
    {
        link.start();
        test::run_to_end();
        std::string seen;
        std::uint64_t lost = link.fault() == nullptr ? 0 : link.fault()->flits_lost();
        for (const End::Came& each : receiver.came) {
            const Flit flit(each.data);
            lost += flit.is_poison() ? 0 : 1;
            seen += flit.is_poison() ? 'X'
                    : flit.is_head() ? (flit.is_tail() ? 'S' : 'H')
                    : flit.is_tail() ? 'T'
                                     : 'b';
        }
        CHECK(lost == sent);
        CHECK(sender.came.size() == sent);
        return seen;
    }
    test::Simulation simulation;
    ClockDomain domain{"clock", sc_core::sc_time(2, sc_core::SC_NS)};
    PacketPool packets;
    Link link;
    End sender{domain, false};
    End receiver{domain, true};
    std::size_t sent = 0;
};

LinkConfig wire(unsigned latency, unsigned cycles_per_flit, unsigned departure)
{
    LinkConfig config;
    config.latency_cycles = latency;
    config.cycles_per_flit = cycles_per_flit;
    config.departure_cycles = departure;
    return config;
}

/// Writes down what it is told: "head link.vc packet @cycle".
class Watch final : public LinkObserver {
public:
    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override
    {
        seen.push_back(fmt::format("head {}.{} {} @{}", link, vc, packet, at));
    }
    void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override
    {
        seen.push_back(fmt::format("tail {}.{} {} @{}", link, vc, packet, at));
    }
    void flit_enters(std::uint32_t link, unsigned vc, Flit flit, Cycle at) override
    {
        flits.push_back(fmt::format("{}.{} {}/{} @{}", link, vc, flit.packet(), flit.sequence(), at));
    }
    std::vector<std::string> seen;
    std::vector<std::string> flits;
};

/// Value changes of the only signal in a VCD file: "value @time" in units of the file.
std::vector<std::string> changes_in(const std::string& path)
{
    std::ifstream file(path);
    std::string time = "0";
    char value = 'x';
    bool in_values = false;
    std::vector<std::string> changes;
    for (std::string line; std::getline(file, line);) {
        in_values = in_values || line == "$dumpvars";
        if (line.empty() || !in_values)
            continue;
        if (line[0] == '#') {
            time = line.substr(1);
        } else if ((line[0] == '0' || line[0] == '1') && line[0] != value) {
            value = line[0];
            changes.push_back(fmt::format("{} @{}", value, time));
        }
    }
    return changes;
}

} // namespace

TEST_CASE("a link keeps order and adds exactly its latency, and so do credits on their way back",
          "[hardware][link]")
{
    LinkConfig config = wire(GENERATE(1u, 2u, 7u, 2000u), GENERATE(1u, 3u), GENERATE(0u, 1u, 4u));
    config.credit_cycles = GENERATE(0u, 1u, 9u);
    LinkBench bench(config);
    bench.sender.vc = bench.receiver.vc = GENERATE(0u, 5u);
    constexpr std::uint32_t count = 50;
    const Cycle delay = config.departure_cycles + config.latency_cycles + config.cycles_per_flit - 1;
    const Cycle back = 1 + config.latency_cycles + config.credit_cycles;
    bench.send(1, count);
    const Cycle last = 1 + (count - 1) * config.cycles_per_flit + delay;
    test::run_before(bench.domain, last);
    REQUIRE(bench.receiver.came.size() == count - 1);
    test::run_through(bench.domain, last);
    REQUIRE(bench.receiver.came.size() == count);
    bench.run();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto& [at, vc, data] = bench.receiver.came[i];
        const Flit flit(data);
        REQUIRE(flit.sequence() == i);
        REQUIRE(flit.is_head() == (i == 0));
        REQUIRE(flit.is_tail() == (i == count - 1));
        REQUIRE(at == 1 + i * config.cycles_per_flit + delay);
        REQUIRE(vc == bench.sender.vc);
        REQUIRE(bench.sender.came[i].at == at + back);
        REQUIRE(bench.sender.came[i].vc == bench.receiver.vc);
    }
    CHECK(bench.link.flits() == count);
}

TEST_CASE("an observer is told of heads, tails and flits, when they enter the wire", "[hardware][link]")
{
    LinkConfig config = wire(1, 1, GENERATE(0u, 2u));
    config.index = 17;
    LinkBench bench(config);
    Watch watch;
    bench.link.observe(watch);
    bench.send(10, 5);
    bench.send(20, 1);
    test::run_to_end();
    const Cycle d = config.departure_cycles;
    CHECK(watch.seen ==
          std::vector{fmt::format("head 17.3 0 @{}", 10 + d), fmt::format("tail 17.3 0 @{}", 14 + d),
                      fmt::format("head 17.3 1 @{}", 20 + d), fmt::format("tail 17.3 1 @{}", 20 + d)});
    std::vector<std::string> flits;
    for (std::uint32_t i = 0; i < 5; ++i)
        flits.push_back(fmt::format("17.3 0/{} @{}", i, 10 + i + d));
    flits.push_back(fmt::format("17.3 1/0 @{}", 20 + d));
    CHECK(watch.flits == flits);
}

TEST_CASE("the trace of a link is high while a flit enters it", "[hardware][link]")
{
    const unsigned c = GENERATE(1u, 3u);
    const unsigned d = GENERATE(0u, 2u);
    const test::TemporaryFolder folder;
    {
        LinkBench bench(wire(1, c, d));
        sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file((folder / "link").c_str());
        file->set_time_unit(1, sc_core::SC_NS);
        bench.link.trace_activity(file, "link");
        bench.send(10, 2); // back to back, and one alone
        bench.send(30, 1);
        test::run_before(bench.domain, 50);
        sc_core::sc_close_vcd_trace_file(file);
    }
    CHECK(changes_in(folder / "link.vcd") ==
          std::vector<std::string>{
              "0 @0", fmt::format("1 @{}", 2 * (10 + d)), fmt::format("0 @{}", 2 * (10 + d + 2 * c)),
              fmt::format("1 @{}", 2 * (30 + d)), fmt::format("0 @{}", 2 * (30 + d + c))});
}

TEST_CASE("a flit is lost if the link is down in any cycle in which it is on the wire, and in no other",
          "[hardware][fault]")
{
    const unsigned latency = GENERATE(1u, 4u);
    const unsigned narrow = GENERATE(1u, 3u);
    const unsigned departure = GENERATE(0u, 2u);
    const Cycle down = 100;
    const Cycle length = GENERATE(1u, 5u);
    const Cycle on_wire = latency + narrow - 1;
    // Committed so that it enters the wire in this cycle, relative to the failure.
    const auto lost = [&](Cycle enters) {
        LinkBench bench(wire(latency, narrow, departure));
        bench.link.plan_fault(bench.packets, {down, down + length});
        bench.send(enters - departure, 1);
        const std::string seen = bench.run();
        CHECK((seen.empty() || seen == "S"));
        CHECK(bench.packets.in_flight() == (seen.empty() ? 0 : 1));
        return seen.empty();
    };
    CHECK_FALSE(lost(down - on_wire)); // is there in the cycle of the failure
    CHECK(lost(down - on_wire + 1));
    CHECK(lost(down));
    CHECK(lost(down + length - 1));
    CHECK_FALSE(lost(down + length)); // the link is up again
}

TEST_CASE("a worm that is cut gets a poison tail in place of its first lost flit, and its rest is swallowed",
          "[hardware][fault]")
{
    // Ten flits enter the wire in cycles 50 to 59 and are there a cycle later.
    const auto seen = [](const std::vector<DownTime>& times) {
        LinkBench bench(wire(1, 1, 0));
        for (const DownTime& down : times)
            bench.link.plan_fault(bench.packets, down);
        bench.send(50, 10);
        bench.send(70, 2);
        return bench.run();
    };
    CHECK(seen({{40, 50}}) == "HbbbbbbbbTHT");
    CHECK(seen({{40, 51}}) == "HT"); // without a head the rest is worth nothing, although the link is up
    CHECK(seen({{50, 51}}) == "HT");
    CHECK(seen({{51, 52}}) == "HXHT");
    CHECK(seen({{54, 55}}) == "HbbbXHT");
    CHECK(seen({{54, DownTime::for_good}}) == "HbbbX");
    CHECK(seen({{58, 80}}) == "HbbbbbbbX");
    CHECK(seen({{59, 60}}) == "HbbbbbbbbXHT"); // the tail itself
    CHECK(seen({{60, 70}}) == "HbbbbbbbbTHT");
    CHECK(seen({{71, 72}}) == "HbbbbbbbbTHX");
    CHECK(seen({{52, 53}, {71, 72}}) == "HbXHX");
}

} // namespace nocturne::link_test
