#include "models/traffic/arrivals.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

namespace nocturne::arrivals_test {

using Catch::Matchers::Contains;

namespace {

std::vector<std::uint64_t> times(const ArrivalProcess& process, double load, double flits, std::uint64_t seed,
                                 std::uint64_t cycles)
{
    Arrivals arrivals(process, load, flits, seed);
    std::vector<std::uint64_t> found;
    if (arrivals.is_silent())
        return found;
    for (std::uint64_t at = arrivals.next(); at < cycles; at = arrivals.next())
        found.push_back(at);
    return found;
}

} // namespace

TEST_CASE("arrivals offer the load, one message a cycle at most", "[traffic]")
{
    const std::string text = GENERATE("bernoulli", "periodic", "bursty:20", "bursty:50,0.8", "bursty:3,0.9");
    const double load = GENERATE(0.0, 0.01, 0.2, 0.75);
    const double flits = GENERATE(1.0, 8.0);
    constexpr std::uint64_t cycles = 1'000'000;
    const auto found = times(make_arrivals(text), load, flits, 5, cycles);
    for (std::size_t i = 1; i < found.size(); ++i)
        REQUIRE(found[i - 1] < found[i]);
    CAPTURE(text, load, flits);
    const double expected = load / flits * static_cast<double>(cycles);
    // Bursts of 50 cycles and what belongs to them: some 10000 of them a run.
    CHECK(static_cast<double>(found.size()) == Approx(expected).epsilon(0.12).margin(2));
}

TEST_CASE("gaps between Bernoulli arrivals are geometric", "[traffic]")
{
    const auto found = times(BernoulliArrivals{}, 0.5, 1, 3, 400'000);
    std::vector<int> gaps(5, 0);
    for (std::size_t i = 1; i < found.size(); ++i)
        if (const std::uint64_t gap = found[i] - found[i - 1]; gap <= gaps.size())
            ++gaps[gap - 1];
    for (std::size_t gap = 1; gap <= gaps.size(); ++gap)
        CHECK(gaps[gap - 1] == Approx(static_cast<double>(found.size()) * std::pow(0.5, gap)).epsilon(0.05));
}

TEST_CASE("the rarest arrivals never come, instead of at a time that does not fit a number", "[traffic]")
{
    const std::string text = GENERATE("bernoulli", "periodic", "bursty:20", "bursty:50,0.8");
    for (const double load : {1e-17, 1e-30, 1e-300, 5e-324}) {
        CAPTURE(text, load);
        Arrivals arrivals(make_arrivals(text), load, 1, 5);
        CHECK((arrivals.is_silent() || arrivals.next() == Arrivals::never));
        CHECK((arrivals.is_silent() || arrivals.next() == Arrivals::never)); // and it stays so
    }
    // Rare ones come, one after the other.
    Arrivals rare(make_arrivals(text), 1e-9, 1, 5);
    std::uint64_t before = rare.next();
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t next = rare.next();
        CHECK(next > before);
        CHECK(next < Arrivals::never);
        before = next;
    }
}

TEST_CASE("periodic arrivals are as far apart as the load says", "[traffic]")
{
    const auto found = times(PeriodicArrivals{}, 0.3, 1, 3, 10'000);
    for (std::size_t i = 1; i < found.size(); ++i) {
        CHECK(found[i] - found[i - 1] >= 3);
        CHECK(found[i] - found[i - 1] <= 4);
    }
}

TEST_CASE("bursty arrivals come in bursts", "[traffic]")
{
    // Counts in windows: their variance is that of Bernoulli arrivals and much more.
    const auto dispersion = [](const ArrivalProcess& process) {
        constexpr std::uint64_t window = 200;
        std::vector<double> counts(5000, 0);
        for (const std::uint64_t at : times(process, 0.2, 1, 9, window * counts.size()))
            ++counts[at / window];
        double mean = 0;
        double square = 0;
        for (const double count : counts) {
            mean += count / static_cast<double>(counts.size());
            square += count * count / static_cast<double>(counts.size());
        }
        return (square - mean * mean) / mean;
    };
    CHECK(dispersion(BernoulliArrivals{}) < 1);
    CHECK(dispersion(BurstyArrivals{50, 1}) > 10);
    CHECK(dispersion(PeriodicArrivals{}) < 0.1);
}

TEST_CASE("the same seed gives the same arrivals", "[traffic]")
{
    CHECK(times(BurstyArrivals{}, 0.2, 4, 1, 10'000) == times(BurstyArrivals{}, 0.2, 4, 1, 10'000));
    CHECK(times(BurstyArrivals{}, 0.2, 4, 1, 10'000) != times(BurstyArrivals{}, 0.2, 4, 2, 10'000));
}

TEST_CASE("arrivals that cannot be are refused", "[traffic]")
{
    CHECK_THROWS_WITH(make_arrivals("poisson"), Contains("no arrivals 'poisson'") && Contains("bernoulli"));
    CHECK_THROWS_WITH(make_arrivals("bursty:x"), Contains("'x' is no number"));
    CHECK_THROWS_WITH(make_arrivals("bursty:0.5"), Contains("1 cycle or more"));
    CHECK_THROWS_WITH(make_arrivals("bursty:10,0"), Contains("above 0"));
    CHECK_THROWS_WITH(Arrivals(BernoulliArrivals{}, 1.5, 1, 1), Contains("load 1.5"));
    CHECK_THROWS_WITH(Arrivals(BernoulliArrivals{}, -0.5, 1, 1), Contains("load -0.5"));
    CHECK_THROWS_WITH(Arrivals((BurstyArrivals{10, 0.5}), 0.6, 1, 1), Contains("0.5 flits a cycle at most"));
}

} // namespace nocturne::arrivals_test
