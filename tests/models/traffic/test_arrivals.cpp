#include "models/traffic/arrivals.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace nocturne::arrivals_test {

using Catch::Contains;

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

/// Messages in each of `count` windows of that length.
std::vector<double> counts_in(const std::vector<std::uint64_t>& times, std::uint64_t window,
                              std::size_t count)
{
    std::vector<double> counts(count, 0);
    for (const std::uint64_t at : times)
        if (at / window < count)
            ++counts[at / window];
    return counts;
}

double variance_of(const std::vector<double>& values)
{
    double mean = 0, squares = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    for (const double value : values)
        squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
    return squares;
}

/// From the slope of the variance of mean rates over windows of 2^8 to 2^13 cycles: 2 H - 2 (variance-time
/// plot).
double hurst(const std::vector<std::uint64_t>& times, std::uint64_t cycles)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, n = 0;
    for (unsigned level = 8; level <= 13; ++level) {
        const std::uint64_t window = std::uint64_t{1} << level;
        const double x = level * std::log(2.0);
        const double y = std::log(variance_of(counts_in(times, window, cycles / window))) - 2 * x;
        sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y, ++n;
    }
    const double slope = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
    return 1 + slope / 2;
}

} // namespace

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
        const auto counts = counts_in(times(process, 0.2, 1, 9, 1'000'000), 200, 5000);
        return variance_of(counts) / (0.2 * 200);
    };
    CHECK(dispersion(BernoulliArrivals{}) < 1);
    CHECK(dispersion(BurstyArrivals{50, 1}) > 10);
    CHECK(dispersion(PeriodicArrivals{}) < 0.1);
}

TEST_CASE("arrivals offer the load, one message a cycle at most", "[traffic]")
{
    const std::string text =
        GENERATE("bernoulli", "periodic", "bursty:20", "bursty:50,0.8", "bursty:3,0.9", "mmpp:1,100,4,50",
                 "mmpp:0,200,1,50,3,20", "pareto", "pareto:4,1.6,20,0.5");
    const bool is_modulated = text[0] == 'm' || (text[0] == 'p' && text[1] == 'a');
    const double load = GENERATE(0.0, 0.01, 0.1, 0.75);
    const double flits = GENERATE(1.0, 8.0);
    if (is_modulated && load > 0.1)
        return; // more than the states have
    constexpr std::uint64_t cycles = 1'000'000;
    constexpr unsigned runs = 4; // in one some 10000 bursts of 50 cycles and what belongs to them
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
        const auto found = times(make_arrivals(text), load, flits, seed, cycles);
        REQUIRE(std::ranges::adjacent_find(found, std::ranges::greater_equal{}) == found.end());
        count += found.size();
    }
    CAPTURE(text, load, flits);
    CHECK(static_cast<double>(count) == Approx(runs * load / flits * cycles).epsilon(0.12).margin(2));
}

TEST_CASE("the index of dispersion of an MMPP is that of its formula", "[traffic]")
{
    // Two states that follow each other, in continuous time, for long windows (Fischer and Meier-Hellstern,
    // section 2): 1 + 2 (r1 - r2)^2 s1 s2 / ((s1 + s2)^2 (r1 s2 + r2 s1)), s being rates of leaving; less
    // what sending at most once a cycle takes away, the mean square of the rate over the mean rate.
    const double first = 0.02, second = 0.2, leave_first = 1 / 400.0, leave_second = 1 / 100.0;
    const double mean = (first * leave_second + second * leave_first) / (leave_first + leave_second);
    const double poisson = 1 + 2 * (first - second) * (first - second) * leave_first * leave_second /
                                   ((leave_first + leave_second) * (leave_first + leave_second) *
                                    (first * leave_second + second * leave_first));
    const double square =
        (first * first * leave_second + second * second * leave_first) / (leave_first + leave_second);
    constexpr std::uint64_t window = 20'000;
    const auto found = times(make_arrivals("mmpp:1,400,10,100"), mean, 1, 11, window * 2000);
    const std::vector<double> counts = counts_in(found, window, 2000);
    const double index = variance_of(counts) / (mean * window);
    CHECK(index == Approx(poisson - square / mean).epsilon(0.12));
}

TEST_CASE("superposed Pareto sources are as self-similar as their shape says", "[traffic]")
{
    const double shape = GENERATE(1.2, 1.5, 1.8);
    constexpr std::uint64_t cycles = std::uint64_t{1} << 21;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        sum += hurst(times(ParetoArrivals{8, shape, 10, 1}, 0.5, 4, seed, cycles), cycles) / 3;
    CAPTURE(shape);
    CHECK(sum == Approx((3 - shape) / 2).margin(0.1));
    // Where there is no memory it is one half.
    CHECK(hurst(times(BernoulliArrivals{}, 0.5, 4, 1, cycles), cycles) == Approx(0.5).margin(0.05));
}

TEST_CASE("the same seed gives the same arrivals", "[traffic]")
{
    for (const char* text : {"bursty:20", "pareto"}) {
        const ArrivalProcess process = make_arrivals(text);
        CHECK(times(process, 0.2, 4, 1, 10'000) == times(process, 0.2, 4, 1, 10'000));
        CHECK(times(process, 0.2, 4, 1, 10'000) != times(process, 0.2, 4, 2, 10'000));
    }
}

TEST_CASE("arrivals that cannot be are refused", "[traffic]")
{
    CHECK_THROWS_WITH(Arrivals(BernoulliArrivals{}, 1.5, 1, 1), Contains("load 1.5"));
    CHECK_THROWS_WITH(Arrivals(BernoulliArrivals{}, -0.5, 1, 1), Contains("load -0.5"));
    CHECK_THROWS_WITH(Arrivals((BurstyArrivals{10, 0.5}), 0.6, 1, 1), Contains("0.5 flits a cycle at most"));
    for (const char* text : {"mmpp:0,10,1,10", "pareto:2,1.5,10,0.25"})
        CHECK_THROWS_WITH(Arrivals(make_arrivals(text), 0.6, 1, 1), Contains("0.5 flits a cycle"));
    CHECK_THROWS_WITH(Arrivals(make_arrivals("pareto:2,1.5,10,3"), 0.6, 1, 1), Contains("no peak of 3"));
}

} // namespace nocturne::arrivals_test
