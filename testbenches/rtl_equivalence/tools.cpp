#include "testbenches/rtl_equivalence/tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::rtl_equivalence {

ToolRun run_in(const std::string& folder, const std::string& command)
{
    FILE* const pipe = ::popen(fmt::format("cd '{}' && {{ {}; }} 2>&1", folder, command).c_str(), "r");
    if (pipe == nullptr)
        throw std::runtime_error("cannot run " + command);
    ToolRun run{0, {}};
    std::array<char, 4096> piece{};
    for (std::size_t read = 0; (read = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;)
        run.output.append(piece.data(), read);
    run.status = ::pclose(pipe);
    return run;
}

Simulator parse_simulator(std::string_view text)
{
    if (text == "icarus")
        return Simulator::icarus;
    if (text == "verilator")
        return Simulator::verilator;
    throw std::invalid_argument(fmt::format("simulator '{}': expected icarus or verilator", text));
}

std::string compile_command(const RtlDesign& design, Simulator simulator)
{
    const std::string sources =
        fmt::format("{} {}", fmt::join(design.design_sources, " "), fmt::join(design.bench_sources, " "));
    if (simulator == Simulator::icarus)
        return fmt::format("iverilog -g2012 -Wall -Wno-timescale -s {} -o bench {}", design.bench, sources);
    return fmt::format("verilator --binary --timing --top-module {} -o ../bench {} > verilator.txt || "
                       "cat verilator.txt",
                       design.bench, sources);
}

std::string run_bench(const RtlDesign& design, const std::string& folder, Simulator simulator)
{
    const ToolRun compiled = run_in(folder, compile_command(design, simulator));
    if (compiled.status != 0 || !compiled.output.empty())
        throw std::runtime_error(fmt::format("{}: {}", folder, compiled.output));
    return run_in(folder, "./bench +trace=flits.txt").output;
}

std::string sorted_lines(const std::string& text)
{
    std::vector<std::pair<unsigned long long, std::string>> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.emplace_back(std::stoull(line), line + '\n');
    std::sort(lines.begin(), lines.end());
    std::string sorted;
    for (const auto& [number, line] : lines)
        sorted += line;
    return sorted;
}

std::string first_difference(std::string_view a, std::string_view b)
{
    if (a == b)
        return {};
    const auto first = static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                      b.begin())
            .first -
        a.begin());
    const std::size_t before = first == 0 ? std::string_view::npos : a.rfind('\n', first - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const auto line = [begin](std::string_view text) {
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    return fmt::format("{} | {}", line(a), line(b));
}

} // namespace nocturne::rtl_equivalence
