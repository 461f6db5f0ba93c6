#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <tuple>
#include <utility>

namespace nocturne::clock_domain_test {

namespace {

const sc_core::sc_time period(2, sc_core::SC_NS);

/// Writes down what it is called with, and when.
class Log final : public Clocked {
public:
    explicit Log(ClockDomain& domain) : handle(domain.add(*this)), domain_(domain) {}
    void on_event(std::uint32_t code, std::uint64_t data) override
    {
        events.emplace_back(domain_.now(), code, data);
        times.push_back(sc_core::sc_time_stamp());
        if (ticks_left > 0)
            domain_.activate(handle);
    }
    bool tick() override
    {
        ticks.push_back(domain_.now());
        return --ticks_left > 0;
    }

    const std::uint32_t handle;
    int ticks_left = 0;
    std::vector<std::tuple<Cycle, std::uint32_t, std::uint64_t>> events;
    std::vector<sc_core::sc_time> times;
    std::vector<Cycle> ticks;

private:
    ClockDomain& domain_;
};

/// Schedules one event for a Log in each cycle of a list, from a SystemC process of its own.
class Outsider final : public sc_core::sc_module {
public:
    Outsider(const sc_core::sc_module_name& name, ClockDomain& domain, Log& log,
             std::vector<sc_core::sc_time> times)
        : sc_module(name), domain_(domain), log_(log), times_(std::move(times))
    {
        SC_HAS_PROCESS(Outsider);
        SC_METHOD(act);
    }

private:
    void act()
    {
        if (next_ > 0)
            domain_.schedule(domain_.now() + 1, log_, static_cast<std::uint32_t>(next_));
        if (next_ < times_.size())
            next_trigger(times_[next_++] - sc_core::sc_time_stamp());
    }
    ClockDomain& domain_;
    Log& log_;
    std::vector<sc_core::sc_time> times_;
    std::size_t next_ = 0;
};

} // namespace

TEST_CASE(
    "an event happens in its cycle, near or far, those of a cycle in the order of scheduling, and no other "
    "cycle costs anything",
    "[hardware][clock]")
{
    const std::uint64_t seed = GENERATE(range(1, 6));
    test::Simulation simulation;
    ClockDomain domain("clock", period);

    // Each event schedules the next few, from inside the domain.
    class Chain final : public Clocked {
    public:
        Chain(ClockDomain& domain, std::uint64_t seed) : domain_(domain), random_(seed) {}
        void on_event(std::uint32_t code, std::uint64_t at) override
        {
            REQUIRE((at ^ ~0ull) == domain_.now());
            REQUIRE(sc_core::sc_time_stamp() == period * static_cast<double>(domain_.now()));
            const std::pair event(domain_.now(), code);
            REQUIRE(event > last_); // codes count up with every call of schedule()
            busy_cycles += event.first > last_.first ? 1 : 0;
            last_ = event;
            ++seen;
            for (std::uint32_t i = random_.below(4); i > 0 && scheduled < 3000; --i)
                spawn();
        }
        void spawn()
        {
            constexpr Cycle far[] = {63, 64, 65, 1022, 1023, 1024, 1025, 2048, 5000, 123456789};
            const Cycle ahead = random_.below(4) == 0 ? far[random_.below(10)] : 1 + random_.below(8);
            const Cycle at = domain_.now() + ahead;
            domain_.schedule(at, *this, scheduled++, at ^ ~0ull);
        }
        std::uint32_t scheduled = 1;
        std::uint32_t seen = 0;
        std::uint64_t busy_cycles = 0;

    private:
        ClockDomain& domain_;
        SplitMix64 random_;
        std::pair<Cycle, std::uint32_t> last_{0, 0};
    };
    Chain chain(domain, seed);
    for (int i = 0; i < 50; ++i)
        chain.spawn();
    test::run_to_end();
    CHECK(chain.seen == chain.scheduled - 1);
    CHECK(chain.seen > 50);
    CHECK(domain.cycles_run() == chain.busy_cycles);
}

TEST_CASE("a component ticks from its activation on for as long as it wants", "[hardware][clock]")
{
    test::Simulation simulation;
    ClockDomain domain("clock", period);
    std::vector<std::unique_ptr<Log>> logs;
    for (int i = 0; i < 130; ++i) // more than two words of handles
        logs.push_back(std::make_unique<Log>(domain));
    logs[0]->ticks_left = 3;
    logs[65]->ticks_left = 1;
    logs[129]->ticks_left = 2;
    domain.schedule(10, *logs[0], 0);
    domain.schedule(11, *logs[65], 0);
    domain.schedule(2000, *logs[129], 0);
    test::run_to_end();
    CHECK(logs[0]->ticks == std::vector<Cycle>{10, 11, 12});
    CHECK(logs[65]->ticks == std::vector<Cycle>{11});
    CHECK(logs[129]->ticks == std::vector<Cycle>{2000, 2001});
    CHECK(logs[1]->ticks.empty());
    CHECK(domain.cycles_run() == 5);
}

TEST_CASE("a process may schedule at the very time at which the domain runs", "[hardware][clock]")
{
    test::Simulation simulation;
    ClockDomain domain("clock", period);
    Log log(domain);
    Log other(domain);
    std::vector<sc_core::sc_time> times;
    for (Cycle cycle = 1; cycle <= 40; ++cycle) {
        times.push_back(period * static_cast<double>(cycle));
        if (cycle % 3 != 0)
            domain.schedule(cycle, other, 0); // the domain runs in two cycles of three
    }
    domain.schedule(5000, other, 0);
    Outsider outsider("outsider", domain, log, times);
    test::run_to_end();
    REQUIRE(log.events.size() == 40);
    for (std::uint32_t i = 0; i < 40; ++i)
        REQUIRE(log.events[i] == std::make_tuple(Cycle{i + 2}, i + 1, 0ull));
    CHECK(other.events.size() == 27 + 1);
}

TEST_CASE("what is scheduled for the past, or after the end of time, is refused", "[hardware][clock]")
{
    test::Simulation simulation;
    ClockDomain domain("clock", period);
    Log log(domain);
    CHECK(domain.last_cycle() == sc_core::sc_max_time().value() / period.value());
    CHECK_THROWS_AS(domain.schedule(domain.last_cycle() + 1, log, 0), std::overflow_error);
    CHECK_THROWS_AS(domain.schedule(~Cycle{0}, log, 0), std::overflow_error);

    // From inside, the present cycle has passed as well.
    class Late final : public Clocked {
    public:
        explicit Late(ClockDomain& domain) : domain_(domain) {}
        void on_event(std::uint32_t, std::uint64_t at) override
        {
            CHECK_THROWS_AS(domain_.schedule(at, *this, 0), std::logic_error);
            ++asked;
        }
        int asked = 0;

    private:
        ClockDomain& domain_;
    };
    Late late(domain);
    for (const Cycle at : {0, 1, 1999, 2000})
        domain.schedule(2000, late, 0, at);
    test::run_to_end();
    CHECK(late.asked == 4);
    CHECK_THROWS_AS(domain.schedule(1999, log, 0), std::logic_error);
    CHECK(log.events.empty());
}

TEST_CASE("what is scheduled between two clock edges happens on an edge", "[hardware][clock]")
{
    test::Simulation simulation;
    ClockDomain domain("clock", period);
    Log log(domain);
    std::vector<sc_core::sc_time> times;
    for (const double ns : {3.0, 5.5, 6.0, 7.999, 21.0})
        times.emplace_back(ns, sc_core::SC_NS);
    Outsider outsider("outsider", domain, log, times);
    test::run_to_end();
    std::vector<sc_core::sc_time> expected;
    for (const double ns : {4.0, 6.0, 8.0, 8.0, 22.0})
        expected.emplace_back(ns, sc_core::SC_NS);
    CHECK(log.times == expected);
}

} // namespace nocturne::clock_domain_test
