#include "models/text/number.hpp"
#include "models/text/terminal_text.hpp"
#include "sim/audit/log_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <span>

namespace nocturne {
namespace {

bool is_word(std::string_view text)
{
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
}

bool is_figure(std::string_view text)
{
    return text == "N/A" || number_of<double>(text);
}

struct PerfRow {
    std::uint64_t size = 0;
    std::string_view redop = {}; ///< `sum`, `none`; empty: no such column
    std::optional<int> root = std::nullopt;
    std::span<const std::string_view> figures = {}; ///< time, bandwidths and check, once or twice
    std::size_t each = 4;                           ///< 3 without the check
};

/// Of a table, as the line above its rows says.
struct PerfColumns {
    bool has_redop = false, has_root = false;
    std::size_t figures = 0; ///< of a row; 0: no such line was seen
    std::size_t each = 4;
};

/// `#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong`
std::optional<PerfColumns> columns_in(std::span<const std::string_view> words)
{
    if (words.size() < 2 || words.front() != "#" || words[1] != "size")
        return std::nullopt;
    const auto has = [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); };
    const auto times = static_cast<std::size_t>(std::ranges::count(words, "time"));
    const auto first = std::ranges::find(words, "time");
    PerfColumns columns{has("redop"), has("root"), static_cast<std::size_t>(words.end() - first)};
    if (times == 0 || columns.figures % times != 0)
        return std::nullopt;
    columns.each = columns.figures / times;
    return columns;
}

constexpr std::array element_types{"int8",     "uint8",    "int32",  "uint32", "int64", "uint64",
                                   "half",     "float",    "double", "char",   "int",   "bfloat16",
                                   "fp8_e4m3", "fp8_e5m2", "f8e4m3", "f8e5m2"};

/// A row of which the end is missing, as of a job that was killed: the figures that are whole.
std::optional<PerfRow> cut_row(std::span<const std::string_view> words, const PerfColumns& columns)
{
    if (words.size() < 3 || std::ranges::find(element_types, words[2]) == element_types.end())
        return std::nullopt;
    const auto size = number_of<std::uint64_t>(words[0]);
    if (!size || !number_of<std::uint64_t>(words[1]))
        return std::nullopt;
    PerfRow row{.size = *size, .each = columns.each};
    words = words.subspan(3);
    if (columns.has_redop && !words.empty()) {
        row.redop = words.front();
        words = words.subspan(1);
    }
    if (columns.has_root && !words.empty()) {
        row.root = number_of<int>(words.front());
        words = words.subspan(1);
    }
    const auto end = std::ranges::find_if_not(words, is_figure);
    const auto figures = static_cast<std::size_t>(end - words.begin());
    if (figures >= columns.figures)
        return std::nullopt;
    // The last word may be cut itself.
    const std::size_t whole = figures - (end == words.end() && figures > 0 ? 1 : 0);
    row.figures = words.first(whole / columns.each * columns.each);
    return row;
}

/// Size, count and type, of some formats redop, root or both, then the figures.
std::optional<PerfRow> perf_row(std::span<const std::string_view> words)
{
    if (words.size() < 6 || !is_word(words[2]) || !number_of<std::uint64_t>(words[1]))
        return std::nullopt;
    PerfRow row;
    if (const auto size = number_of<std::uint64_t>(words[0]))
        row.size = *size;
    else
        return std::nullopt;
    words = words.subspan(3);
    if (is_word(words.front()) && words.front() != "N/A") {
        row.redop = words.front();
        words = words.subspan(1);
    }
    // Figures are 3 or 4, once or twice.
    if ((words.size() % 2 == 1 && words.size() > 3) || (!words.empty() && words.front() == "-1")) {
        row.root = number_of<int>(words.front());
        if (!row.root)
            return std::nullopt;
        words = words.subspan(1);
    }
    row.figures = words;
    row.each = words.size() % 4 == 0 ? 4 : 3;
    if (words.empty() || words.size() > 2 * row.each || words.size() % row.each != 0 ||
        !std::ranges::all_of(words, is_figure))
        return std::nullopt;
    return row;
}

/// The name before `_perf`, in a command or a title.
std::optional<CollectiveKind> program_in(std::string_view text)
{
    const std::size_t end = text.find("_perf");
    if (end == std::string_view::npos)
        return std::nullopt;
    std::size_t begin = end;
    while (begin > 0 &&
           (std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
        --begin;
    return kind_called(text.substr(begin, end - begin));
}

/// The check is a count of wrong elements, or in old logs the largest error, which of sums of floats is less
/// than a hundredth.
bool says_wrong(std::string_view check)
{
    const auto value = number_of<double>(check);
    return value && *value >= 1e-2;
}

class PerfLog {
public:
    MeasuredLog read(const std::vector<LogLine>& lines)
    {
        for (const LogLine& line : lines) {
            if (const auto kind = program_in(line.text)) {
                close_if_measured();
                kind_ = kind;
            }
            if (line.text.find("nThread") != std::string_view::npos)
                close_if_measured();
            for (const std::string_view failure : {"Test NCCL failure", "Test CUDA failure", "Test failure"})
                if (line.text.find(failure) != std::string_view::npos)
                    log_.remarks.push_back(
                        fmt::format("line {}: the benchmark failed: {}", line.number, line.text));
            const std::vector<std::string_view> words = words_of_line(line.text);
            if (!take_rank(words))
                take_row(words, line.number);
        }
        close();
        std::ranges::move(left_out_.remarks(), std::back_inserter(log_.remarks));
        return std::move(log_);
    }

private:
    /// `#  Rank  0 Group  0 Pid   1000 on      nodeA device  0 [0000:10:00] NVIDIA GB200`
    bool take_rank(std::span<const std::string_view> words)
    {
        const auto behind = [&](std::string_view name) {
            const auto found = std::ranges::find(words, name);
            return found == words.end() ? words.last(0)
                                        : words.subspan(static_cast<std::size_t>(found - words.begin()) + 1);
        };
        const auto rank = behind("Rank"), host = behind("on"), device = behind("device");
        if (rank.empty() || host.empty() || device.empty() || !number_of<std::uint32_t>(rank.front()))
            return false;
        close_if_measured();
        ++ranks_;
        first_ranks_ += rank.front() == "0";
        hosts_.emplace(host.front());
        const auto bus =
            std::ranges::find_if(device, [](std::string_view word) { return word.ends_with(']'); });
        if (device_.empty() && bus != device.end())
            device_ = fmt::format("{}", fmt::join(bus + 1, device.end(), " "));
        return true;
    }

    void take_row(std::span<const std::string_view> words, std::size_t line)
    {
        if (!words.empty() && words.front().starts_with('#')) {
            if (const auto columns = columns_in(words))
                columns_ = *columns;
            return;
        }
        constexpr std::size_t most_before = 6; // words that a launcher or a clock puts before the row
        for (std::size_t from = 0; from < words.size() && from <= most_before; ++from) {
            const auto rest = words.subspan(from);
            const auto row = perf_row(rest);
            if (row && (columns_.figures == 0 || row->each == columns_.each)) {
                take(*row, line);
                return;
            }
            if (const auto cut = cut_row(rest, columns_)) {
                log_.remarks.push_back(
                    fmt::format("line {}: the end of this row is missing: {} of {} figures count", line,
                                cut->figures.size(), columns_.figures));
                if (!cut->figures.empty())
                    take(*cut, line);
                return;
            }
            if (row) {
                take(*row, line);
                return;
            }
        }
    }

    void take(const PerfRow& row, std::size_t line)
    {
        if (row.size == 0) {
            ++left_out_.empty_rows;
            return;
        }
        runs_.resize(std::max<std::size_t>(1, first_ranks_));
        // Runs that print into one log print each size once.
        MeasuredRun& run = runs_[times_seen_[row.size]++ % runs_.size()];
        redop_ = row.redop;
        root_ = row.root;
        for (std::size_t at = 0; at < row.figures.size(); at += row.each) {
            const auto figures = row.figures.subspan(at, row.each);
            const auto time = number_of<double>(figures[0]);
            if (!time || !(*time > 0)) {
                ++left_out_.empty_rows;
                continue;
            }
            const bool has_both = std::max(row.figures.size(), columns_.figures) > row.each;
            run.rows.push_back({.line = line,
                                .size = row.size,
                                .time_us = *time,
                                .algorithm_bandwidth = number_of<double>(figures[1]),
                                .bus_bandwidth = number_of<double>(figures[2]),
                                .place = !has_both ? ""
                                         : at == 0 ? "out"
                                                   : "in",
                                .is_wrong = row.each == 4 && says_wrong(figures[3])});
        }
    }

    /// As the last columns tell it: redop, root, and of sums to all the bus bandwidth over the other one.
    std::optional<CollectiveKind> inferred_kind(const MeasuredRun& run) const
    {
        const bool adds = redop_ != "none";
        if (redop_.empty())
            return std::nullopt;
        if (root_ && *root_ >= 0)
            return adds ? CollectiveKind::reduce : CollectiveKind::broadcast;
        const LogRow& largest = *std::ranges::max_element(run.rows, {}, &LogRow::size);
        if (!adds || run.ranks < 2 || !largest.algorithm_bandwidth || !largest.bus_bandwidth)
            return std::nullopt;
        const double n = run.ranks, ratio = *largest.bus_bandwidth / *largest.algorithm_bandwidth;
        return ratio > 1.5 * (n - 1) / n ? CollectiveKind::allreduce : CollectiveKind::reduce_scatter;
    }

    void close_if_measured()
    {
        if (!runs_.empty())
            close();
    }

    /// Ends what ran at the same time.
    void close()
    {
        const std::uint32_t at_once = std::max(1U, first_ranks_);
        if (at_once > 1)
            log_.remarks.push_back(fmt::format(
                "{} runs of {} ranks each print into this log ({} lines 'Rank 0'): they did not work "
                "together, as "
                "when the benchmark is built without MPI; the rows of a size are given to them in turn",
                at_once, ranks_ / at_once, at_once));
        for (MeasuredRun& run : runs_) {
            if (run.rows.empty())
                continue;
            run.tool = "nccl-tests";
            run.ranks = ranks_ / at_once;
            run.hosts = static_cast<std::uint32_t>((hosts_.size() + at_once - 1) / at_once);
            run.device = device_;
            run.kind = kind_ ? kind_ : inferred_kind(run);
            run.is_kind_inferred = run.kind && !kind_;
            log_.runs.push_back(std::move(run));
        }
        runs_.clear();
        times_seen_.clear();
        hosts_.clear();
        device_.clear();
        kind_.reset();
        ranks_ = first_ranks_ = 0;
    }

    MeasuredLog log_;
    LeftOut left_out_;
    PerfColumns columns_;
    // Of what runs at the same time.
    std::vector<MeasuredRun> runs_;
    std::map<std::uint64_t, std::size_t> times_seen_; ///< by size
    std::optional<CollectiveKind> kind_;
    std::uint32_t ranks_ = 0, first_ranks_ = 0; ///< lines of ranks, and of rank 0
    std::set<std::string, std::less<>> hosts_;
    std::string device_;
    std::string redop_;
    std::optional<int> root_;
};

} // namespace

MeasuredLog read_perf_log(const std::vector<LogLine>& lines)
{
    return PerfLog().read(lines);
}

} // namespace nocturne
