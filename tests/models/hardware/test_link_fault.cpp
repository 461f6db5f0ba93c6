// A link that fails: which flits it loses, to the cycle, and what comes in their place.
#include "models/hardware/link.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <string>

namespace nocturne::link_fault_test {

namespace {

/// An end of a link: does what it is told in a cycle, and keeps what comes.
class Side final : public Clocked {
public:
    explicit Side(ClockDomain& domain) : domain_(domain) {}
    void on_event(std::uint32_t code, std::uint64_t data) override
    {
        if (code == 0)
            link->send(Flit(data), vc, domain_.now());
        else if (code == 100 + vc) {
            at.push_back(domain_.now());
            // `H`ead, `b`ody, `T`ail, `X` poison; a head that is a tail is an `S`ingle flit
            const Flit flit(data);
            seen += flit.is_poison() ? 'X'
                    : flit.is_head() ? (flit.is_tail() ? 'S' : 'H')
                    : flit.is_tail() ? 'T'
                                     : 'b';
            link->return_credit(vc);
        } else {
            ++credits;
        }
    }
    Link* link = nullptr;
    unsigned vc = 3;
    std::string seen;
    std::vector<Cycle> at;
    unsigned credits = 0;

private:
    ClockDomain& domain_;
};

struct FaultBench {
    explicit FaultBench(const LinkConfig& config) : link("link", domain, config)
    {
        sender.link = receiver.link = &link;
        link.connect_sender(sender, 200);
        link.connect_receiver(receiver, 100);
    }
    /// A packet whose flits are committed from a cycle on.
    void send(Cycle from, std::uint32_t flits)
    {
        const PacketId id = packets.acquire();
        for (std::uint32_t i = 0; i < flits; ++i)
            domain.schedule(from + std::uint64_t{i} * link.config().cycles_per_flit, sender, 0,
                            Flit(id, i, flits).word());
        sent += flits;
    }
    /// Runs to the end, and checks what holds of every fault: all credits come back, and who arrives or is
    /// lost is counted once. Packets that a tail ended are released by hand here, as a network interface
    /// does.
    std::string run()
    {
        test::run_to_end();
        CHECK(sender.credits == sent);
        std::uint64_t came = 0;
        for (const char flit : receiver.seen)
            came += flit == 'X' ? 0 : 1;
        CHECK(came + (link.fault() == nullptr ? 0 : link.fault()->flits_lost()) == sent);
        return receiver.seen;
    }
    test::Simulation simulation;
    ClockDomain domain{"clock", sc_core::sc_time(2, sc_core::SC_NS)};
    PacketPool packets;
    Link link;
    Side sender{domain};
    Side receiver{domain};
    unsigned sent = 0;
};

LinkConfig wire(unsigned latency, unsigned cycles_per_flit, unsigned departure)
{
    LinkConfig config;
    config.latency_cycles = latency;
    config.cycles_per_flit = cycles_per_flit;
    config.departure_cycles = departure;
    return config;
}

} // namespace

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
        FaultBench bench(wire(latency, narrow, departure));
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
    const auto seen = [](DownTime down) {
        FaultBench bench(wire(1, 1, 0));
        bench.link.plan_fault(bench.packets, down);
        bench.send(50, 10);
        bench.send(70, 2);
        return bench.run();
    };
    CHECK(seen({40, 50}) == "HbbbbbbbbTHT");
    CHECK(seen({40, 51}) == "HT"); // without a head the rest is worth nothing, although the link is up
    CHECK(seen({50, 51}) == "HT");
    CHECK(seen({51, 52}) == "HXHT");
    CHECK(seen({54, 55}) == "HbbbXHT");
    CHECK(seen({54, DownTime::for_good}) == "HbbbX");
    CHECK(seen({58, 80}) == "HbbbbbbbX");
    CHECK(seen({59, 60}) == "HbbbbbbbbXHT"); // the tail itself
    CHECK(seen({60, 70}) == "HbbbbbbbbTHT");
    CHECK(seen({71, 72}) == "HbbbbbbbbTHX");
}

TEST_CASE("several times of failure are one link's", "[hardware][fault]")
{
    FaultBench bench(wire(2, 1, 1));
    bench.link.plan_fault(bench.packets, {13, 14});
    bench.link.plan_fault(bench.packets, {33, 34});
    for (const Cycle at : {10u, 20u, 30u, 40u})
        bench.send(at, 4);
    CHECK(bench.run() == "HXHbbTHXHbbT");
}

TEST_CASE("until it fails a link with a planned fault is as any other", "[hardware][fault]")
{
    const LinkConfig config = wire(3, 2, 1);
    std::vector<Cycle> times[2];
    for (const bool planned : {false, true}) {
        FaultBench bench(config);
        if (planned)
            bench.link.plan_fault(bench.packets, {1000, DownTime::for_good});
        bench.send(10, 20);
        bench.send(90, 3);
        CHECK(bench.run() == "HbbbbbbbbbbbbbbbbbbTHbT");
        times[planned ? 1 : 0] = bench.receiver.at;
    }
    CHECK(times[0] == times[1]);
}

} // namespace nocturne::link_fault_test
