#include "sim/report/results.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <cstring>
#include <random>

namespace nocturne::results_json_test {

namespace {

/// Random results of every shape. Structured bindings name every field: a field that is added to a result
/// does not compile until it is drawn here, and is lost on its way until results.hpp knows it.
class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    void operator()(double& value)
    {
        // Any finite bit pattern: denormal, negative zero, huge.
        do {
            const std::uint64_t bits = random_();
            std::memcpy(&value, &bits, sizeof value);
        } while (!std::isfinite(value));
    }
    void operator()(std::uint64_t& value) { value = random_() >> random_() % 64; }
    void operator()(std::uint32_t& value) { value = static_cast<std::uint32_t>(random_()); }
    void operator()(bool& value) { value = random_() % 2 == 0; }
    void operator()(std::string& value)
    {
        static constexpr std::array parts{"->", "00", "P3", "µ", "\"", "\\", "\n", ">", " "};
        value.clear();
        for (std::uint64_t i = random_() % 5; i > 0; --i)
            value += parts[random_() % parts.size()];
    }
    template <class Value>
    void operator()(std::vector<Value>& values)
    {
        values.resize(random_() % 4);
        for (Value& value : values)
            (*this)(value);
    }
    template <class Value>
    void operator()(std::optional<Value>& value)
    {
        value.reset();
        if (random_() % 2 == 0)
            (*this)(value.emplace());
    }
    void operator()(ChannelUse& value)
    {
        auto& [channel, flits, packets, utilisation] = value;
        all(channel, flits, packets, utilisation);
    }
    void operator()(ChannelOccupancy& value)
    {
        auto& [channel, message, step, begin_ns, end_ns, link] = value;
        all(channel, message, step, begin_ns, end_ns, link);
    }
    void operator()(WaitingFor& value)
    {
        auto& [channel, vc, message, waits_for] = value;
        all(channel, vc, message, waits_for);
    }
    void operator()(Stall& value)
    {
        auto& [time_ns, reason, cycle] = value;
        all(time_ns, reason, cycle);
    }
    void operator()(RunResult& value)
    {
        auto& [model, traffic, routing, selection, vcs, flit_bytes, cycle_ns, t0_ns, message_bytes, time_ns,
               blocked_cycles, credit_waits, head_waits, missing_flits, flit_hops, delivered, owed,
               average_latency, memory_ok, stall, channels, occupancy] = value;
        all(model, traffic, routing, selection, vcs, flit_bytes, cycle_ns, t0_ns, message_bytes, time_ns,
            blocked_cycles, credit_waits, head_waits, missing_flits, flit_hops, delivered, owed,
            average_latency, memory_ok, stall, channels, occupancy);
    }
    void operator()(ReplayResult& value)
    {
        auto& [schedule, topology, collective, ports, mode, valid, violations, steps, chunks, bytes,
               unblocked_ns, algorithm_bandwidth, bus_bandwidth, staging_bytes, model_time_ns,
               hop_overhead_ns, step_times_ns, run] = value;
        all(schedule, topology, collective, ports, mode, valid, violations, steps, chunks, bytes,
            unblocked_ns, algorithm_bandwidth, bus_bandwidth, staging_bytes, model_time_ns, hop_overhead_ns,
            step_times_ns, run);
    }
    void operator()(TimingFit& value)
    {
        auto& [t0_ns, t1_ns_per_byte, residual_ns, model_t0_ns, model_t1_ns_per_byte, hop_overhead_ns] =
            value;
        all(t0_ns, t1_ns_per_byte, residual_ns, model_t0_ns, model_t1_ns_per_byte, hop_overhead_ns);
    }

private:
    template <class... Values>
    void all(Values&... values)
    {
        ((*this)(values), ...);
    }

    std::mt19937_64 random_;
};

} // namespace

TEST_CASE("every result survives JSON text and CBOR exactly", "[report][json]")
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        const auto check = [&](auto result) {
            Draw{seed}(result);
            const nlohmann::json json = result;
            INFO("seed " << seed);
            CHECK((nlohmann::json::parse(json.dump()).get<decltype(result)>() == result));
            CHECK(
                (nlohmann::json::from_cbor(nlohmann::json::to_cbor(json)).get<decltype(result)>() == result));
        };
        check(ReplayResult{});
        check(TimingFit{});
    }
}

TEST_CASE("a member that is missing is an error", "[report][json]")
{
    nlohmann::json json = RunResult{};
    json.erase("stall");
    CHECK_THROWS_AS(json.get<RunResult>(), nlohmann::json::exception);
}

} // namespace nocturne::results_json_test
