#include "sim/audit/row_checks.hpp"

#include "schedules/collective/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace nocturne {
namespace {

struct KnownRatio {
    double ratio; ///< of what is printed to what it should be
    const char* meaning;
};

/// Two decimals are printed, of times and bandwidths four digits.
bool are_equal(double printed, double computed)
{
    return std::abs(printed - computed) <= 0.011 + 0.01 * computed;
}

double gigabytes_per_second(const LogRow& row)
{
    return static_cast<double>(row.size) / row.time_us / 1e3;
}

/// A size takes as long as another one, up to a tenth.
bool takes_as_long(const LogRow& row, const LogRow& other)
{
    return std::abs(other.time_us - row.time_us) < 0.1 * row.time_us;
}

} // namespace

std::string contradiction(const LogRow& row, CollectiveKind kind, std::uint32_t members)
{
    const double right = gigabytes_per_second(row), n = members;
    if (row.algorithm_bandwidth && !are_equal(*row.algorithm_bandwidth, right)) {
        const std::array known{
            KnownRatio{(n - 1) / n, "holds (n-1)/n already, as in nccl-tests before June 2020"},
            KnownRatio{1 / 1.073741824, "is in GiB/s"},
            KnownRatio{8, "is in Gb/s"},
            KnownRatio{2, "counts both directions"},
            KnownRatio{bus_factor_of(kind, members), "is the bus bandwidth"},
            KnownRatio{n, "counts the blocks of all"},
            KnownRatio{1 / n, "counts one block"}};
        const auto* const found = std::ranges::find_if(known, [&](const KnownRatio& ratio) {
            return std::abs(*row.algorithm_bandwidth - ratio.ratio * right) <=
                   0.011 + 0.005 * ratio.ratio * right;
        });
        return fmt::format("algbw {}: size over time is {:.4g} GB/s",
                           found == known.end() ? "is neither of size and time" : found->meaning, right);
    }
    if (!row.bus_bandwidth || !row.algorithm_bandwidth)
        return {};
    const double bus = right * bus_factor_of(kind, members);
    if (are_equal(*row.bus_bandwidth, bus))
        return {};
    return fmt::format("busbw {:.4g} is not that of {} ranks, which is {:.4g} GB/s", *row.bus_bandwidth,
                       members, bus);
}

std::vector<std::string> notes_on_rows(const MeasuredRun& run, CollectiveKind kind, std::uint32_t members)
{
    constexpr double slow = 0.7; ///< of what its neighbours reach, both of them
    std::vector<std::string> notes(run.rows.size());
    std::map<std::string, std::vector<std::size_t>> by_place;
    for (std::size_t i = 0; i < run.rows.size(); ++i)
        by_place[run.rows[i].place].push_back(i);
    for (auto& [place, rows] : by_place) {
        std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return run.rows[i].size; });
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const LogRow& row = run.rows[rows[i]];
            std::string& note = notes[rows[i]];
            if (row.is_wrong) {
                note = "wrong results: does not count";
                continue;
            }
            note = contradiction(row, kind, members);
            if (!note.empty() || i == 0)
                continue;
            const LogRow& before = run.rows[rows[i - 1]];
            if (i + 1 < rows.size()) {
                const double neighbours =
                    std::min(gigabytes_per_second(before), gigabytes_per_second(run.rows[rows[i + 1]]));
                if (gigabytes_per_second(row) < slow * neighbours)
                    note = "slow between quicker sizes";
            }
            if (note.empty() && before.size * 2 <= row.size && takes_as_long(row, before))
                note = "start-up: half the size takes as long";
        }
    }
    return notes;
}

std::string note_on_places(const MeasuredRun& run)
{
    std::map<std::uint64_t, double> out_of_place;
    for (const LogRow& row : run.rows)
        if (row.place == "out" && !row.is_wrong)
            out_of_place[row.size] = row.time_us;
    std::vector<double> ratios;
    for (const LogRow& row : run.rows)
        if (const auto out = out_of_place.find(row.size);
            row.place == "in" && !row.is_wrong && out != out_of_place.end())
            ratios.push_back(out->second / row.time_us);
    if (ratios.empty())
        return {};
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::ranges::nth_element(ratios, middle);
    if (*middle >= 1.1)
        return fmt::format("in place {:.0f} % quicker than out of place (median)", 100 * (*middle - 1));
    if (*middle <= 1 / 1.1)
        return fmt::format("out of place {:.0f} % quicker than in place (median)", 100 * (1 / *middle - 1));
    return {};
}

} // namespace nocturne
