#include "models/text/number.hpp"
#include "models/text/terminal_text.hpp"
#include "sim/audit/log_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace nocturne {
namespace {

struct MpiTitle {
    const char* tool;
    std::string_view benchmark;
};

/// `# OSU MPI-CUDA Allreduce Latency Test v5.8`, `# Benchmarking Allreduce`
std::optional<MpiTitle> title_of(std::span<const std::string_view> words)
{
    for (std::size_t at = 0; at + 2 < words.size(); ++at)
        if (words[at] == "OSU" && words[at + 1].starts_with("MPI"))
            return MpiTitle{"OSU micro-benchmarks", words[at + 2]};
    const auto intel = std::ranges::find(words, "Benchmarking");
    if (words.end() - intel >= 2)
        return MpiTitle{"Intel MPI Benchmarks", intel[1]};
    return std::nullopt;
}

} // namespace

bool is_mpi_log(const std::vector<LogLine>& lines)
{
    return std::ranges::any_of(
        lines, [](const LogLine& line) { return title_of(words_of_line(line.text)).has_value(); });
}

MeasuredLog read_mpi_log(const std::vector<LogLine>& lines)
{
    MeasuredLog log;
    LeftOut left_out;
    MeasuredRun run;
    std::size_t time_column = 1;
    const auto close = [&] {
        if (!run.rows.empty())
            log.runs.push_back(std::move(run));
        run = {};
    };
    for (const LogLine& line : lines) {
        const std::vector<std::string_view> words = words_of_line(line.text);
        if (const auto title = title_of(words)) {
            close();
            run.tool = title->tool;
            run.size_meaning = SizeMeaning::one_block;
            run.kind = kind_called(title->benchmark);
            if (!run.kind)
                left_out.add_other(fmt::format("'{}' of the {}", title->benchmark, title->tool));
            time_column = 1;
            continue;
        }
        // `# #processes = 16`
        if (const auto count = std::ranges::find(words, "#processes"); words.end() - count >= 3)
            run.ranks = number_of<std::uint32_t>(count[2]).value_or(0);
        // `#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]`
        const auto slowest =
            std::ranges::find_if(words, [](std::string_view word) { return word.starts_with("t_max"); });
        if (slowest != words.end())
            time_column = static_cast<std::size_t>(slowest - words.begin());
        if (!run.kind || words.size() <= time_column)
            continue;
        const auto size = number_of<std::uint64_t>(words.front());
        const auto time = number_of<double>(words[time_column]);
        if (!size || !time)
            continue;
        if (*size == 0 || !(*time > 0))
            ++left_out.empty_rows;
        else
            run.rows.push_back({.line = line.number, .size = *size, .time_us = *time});
    }
    close();
    log.remarks = left_out.remarks();
    return log;
}

} // namespace nocturne
