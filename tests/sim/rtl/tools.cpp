#include "tests/sim/rtl/tools.hpp"

#include "models/topology/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace nocturne::test {

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

BenchRun run_with_icarus(const RtlDesign& design, const std::string& folder)
{
    write_design(folder, design);
    const ToolRun compiled = run_in(
        folder, fmt::format("{} -g2012 -Wall -Wno-timescale -s {} -o bench.vvp {} {}", IVERILOG, design.bench,
                            fmt::join(design.design_sources, " "), fmt::join(design.bench_sources, " ")));
    if (compiled.status != 0 || !compiled.output.empty())
        throw std::runtime_error(compiled.output);
    const ToolRun run = run_in(folder, "./bench.vvp +trace=flits.txt");
    return {run.output, sorted_lines(read_file(folder + "/flits.txt"))};
}

std::string sorted_lines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line + '\n');
    const auto key = [](const std::string& line) { return std::pair(std::stoull(line), line); };
    std::sort(lines.begin(), lines.end(),
              [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
    return fmt::format("{}", fmt::join(lines, ""));
}

std::string first_difference(const std::string& a, const std::string& b)
{
    std::istringstream first(a);
    std::istringstream second(b);
    for (;;) {
        std::string of_first;
        std::string of_second;
        const bool more = static_cast<bool>(std::getline(first, of_first));
        if (static_cast<bool>(std::getline(second, of_second)) != more || of_first != of_second)
            return of_first + " | " + of_second;
        if (!more)
            return {};
    }
}

} // namespace nocturne::test
