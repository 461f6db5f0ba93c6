#include "models/hardware/link.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace nocturne::link_test {

namespace {

const sc_core::sc_time period(2, sc_core::SC_NS);

/// An end of a link: does what it is told in a cycle, and keeps what comes.
class End final : public Clocked {
public:
    explicit End(ClockDomain& domain) : domain_(domain) {}
    void on_event(std::uint32_t code, std::uint64_t data) override
    {
        if (code >= 100) {
            came.push_back({domain_.now(), code - 100, data});
            return;
        }
        if (code == 0)
            link->send(Flit(data), vc, domain_.now());
        else
            link->return_credit(vc);
    }
    struct Came {
        Cycle at;
        unsigned vc;
        std::uint64_t data;
    };
    std::vector<Came> came;
    Link* link = nullptr;
    unsigned vc = 0;

private:
    ClockDomain& domain_;
};

struct LinkBench {
    explicit LinkBench(const LinkConfig& config) : link("link", domain, config)
    {
        sender.link = receiver.link = &link;
        link.connect_sender(sender, 100);
        link.connect_receiver(receiver, 100);
    }
    test::Simulation simulation;
    ClockDomain domain{"clock", period};
    Link link;
    End sender{domain};
    End receiver{domain};
};

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

TEST_CASE("a link keeps order and adds exactly its latency", "[hardware][link]")
{
    LinkConfig config;
    config.latency_cycles = GENERATE(1u, 2u, 7u, 2000u);
    config.cycles_per_flit = GENERATE(1u, 3u);
    config.departure_cycles = GENERATE(0u, 1u, 4u);
    const unsigned vc = GENERATE(0u, 5u);
    LinkBench bench(config);
    bench.sender.vc = vc;
    constexpr std::uint32_t count = 50;
    const Cycle delay = config.departure_cycles + config.latency_cycles + config.cycles_per_flit - 1;
    for (std::uint32_t i = 0; i < count; ++i)
        bench.domain.schedule(1 + i * config.cycles_per_flit, bench.sender, 0, Flit(3, i, count).word());

    const Cycle last = 1 + (count - 1) * config.cycles_per_flit + delay;
    test::run_before(bench.domain, last);
    REQUIRE(bench.receiver.came.size() == count - 1);
    test::run_through(bench.domain, last);
    REQUIRE(bench.receiver.came.size() == count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Flit flit(bench.receiver.came[i].data);
        REQUIRE(flit.packet() == 3);
        REQUIRE(flit.sequence() == i);
        REQUIRE(flit.is_head() == (i == 0));
        REQUIRE(flit.is_tail() == (i == count - 1));
        REQUIRE(bench.receiver.came[i].at == 1 + i * config.cycles_per_flit + delay);
        REQUIRE(bench.receiver.came[i].vc == vc);
    }
    CHECK(bench.link.flits() == count);
    CHECK(bench.sender.came.empty());
}

TEST_CASE("a credit can be used one cycle, the latency and the credit delay later", "[hardware][link]")
{
    LinkConfig config;
    config.latency_cycles = GENERATE(1u, 2u, 7u);
    config.credit_cycles = GENERATE(0u, 1u, 9u);
    LinkBench bench(config);
    bench.receiver.vc = 2;
    constexpr Cycle count = 20;
    for (Cycle cycle = 1; cycle <= count; ++cycle)
        bench.domain.schedule(cycle, bench.receiver, 1);
    const Cycle last = count + 1 + config.latency_cycles + config.credit_cycles;
    test::run_before(bench.domain, last);
    REQUIRE(bench.sender.came.size() == count - 1);
    test::run_through(bench.domain, last);
    REQUIRE(bench.sender.came.size() == count);
    CHECK(bench.sender.came.front().at == 2 + config.latency_cycles + config.credit_cycles);
    CHECK(bench.sender.came.back().vc == 2);
    CHECK(bench.receiver.came.empty());
    CHECK(bench.link.flits() == 0);
}

TEST_CASE("an observer is told of heads, tails and flits, when they enter the wire", "[hardware][link]")
{
    LinkConfig config;
    config.index = 17;
    config.departure_cycles = GENERATE(0u, 2u);
    LinkBench bench(config);
    Watch watch;
    bench.link.observe(watch);
    bench.sender.vc = 1;
    for (std::uint32_t i = 0; i < 5; ++i)
        bench.domain.schedule(10 + i, bench.sender, 0, Flit(4, i, 5).word());
    bench.domain.schedule(20, bench.sender, 0, Flit(6, 0, 1).word());
    test::run_to_end();
    const Cycle d = config.departure_cycles;
    CHECK(watch.seen ==
          std::vector{fmt::format("head 17.1 4 @{}", 10 + d), fmt::format("tail 17.1 4 @{}", 14 + d),
                      fmt::format("head 17.1 6 @{}", 20 + d), fmt::format("tail 17.1 6 @{}", 20 + d)});
    std::vector<std::string> flits;
    for (std::uint32_t i = 0; i < 5; ++i)
        flits.push_back(fmt::format("17.1 4/{} @{}", i, 10 + i + d));
    flits.push_back(fmt::format("17.1 6/0 @{}", 20 + d));
    CHECK(watch.flits == flits);
}

TEST_CASE("the trace of a link is high while a flit enters it", "[hardware][link]")
{
    LinkConfig config;
    config.cycles_per_flit = GENERATE(1u, 3u);
    config.departure_cycles = GENERATE(0u, 2u);
    const std::string name = "/tmp/nocturne_test_link_" + std::to_string(::getpid());
    {
        LinkBench bench(config);
        sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(name.c_str());
        file->set_time_unit(1, sc_core::SC_NS);
        bench.link.trace_activity(file);
        // Two flits back to back, and one alone.
        bench.domain.schedule(10, bench.sender, 0, Flit(0, 0, 3).word());
        bench.domain.schedule(10 + config.cycles_per_flit, bench.sender, 0, Flit(0, 1, 3).word());
        bench.domain.schedule(30, bench.sender, 0, Flit(0, 2, 3).word());
        test::run_before(bench.domain, 50);
        sc_core::sc_close_vcd_trace_file(file);
    }
    const unsigned d = config.departure_cycles;
    const unsigned c = config.cycles_per_flit;
    CHECK(changes_in(name + ".vcd") == std::vector<std::string>{"0 @0", fmt::format("1 @{}", 2 * (10 + d)),
                                                                fmt::format("0 @{}", 2 * (10 + d + 2 * c)),
                                                                fmt::format("1 @{}", 2 * (30 + d)),
                                                                fmt::format("0 @{}", 2 * (30 + d + c))});
    std::remove((name + ".vcd").c_str());
}

} // namespace nocturne::link_test
