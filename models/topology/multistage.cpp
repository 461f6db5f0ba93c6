#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace nocturne {

namespace {

/// A column of switches and the wires into it. Lines are numbered from the top: input line p is port p mod
/// inputs of switch p / inputs, and likewise for outputs.
struct Column {
    unsigned switches;
    unsigned inputs;  ///< of each switch
    unsigned outputs; ///< of each switch
    /// From an output line of the column before (or a processor) to an input line of this one.
    std::function<unsigned(unsigned)> wire_in;
    TagDigit digit;
};

unsigned straight(unsigned line)
{
    return line;
}

/// A column at x = column * this: steep enough wires to tell apart, however tall the network.
double column_pitch(double height)
{
    return std::max(1.5, height / 4);
}

Topology build(const std::string& name, unsigned processors, const std::vector<Column>& columns)
{
    double height = 0; // with room for the lines of a switch
    for (const Column& column : columns)
        height =
            std::max(height, column.switches * std::max(1.0, 0.34 * std::max(column.inputs, column.outputs)));

    Topology topology(name);
    std::vector<RouterId> first; // switch 0 of each column
    std::vector<TagDigit> digits;
    for (unsigned c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        first.push_back(static_cast<RouterId>(topology.router_count()));
        for (unsigned s = 0; s < column.switches; ++s)
            topology.add_router(
                fmt::format("c{}s{}", c, s),
                Position{c * column_pitch(height), (s + 0.5) * height / column.switches - 0.5});
        digits.push_back(column.digit);
    }
    for (std::size_t c = 0; c + 1 < columns.size(); ++c)
        for (unsigned line = 0; line < columns[c].switches * columns[c].outputs; ++line)
            topology.add_channel(first[c] + line / columns[c].outputs,
                                 first[c + 1] + columns[c + 1].wire_in(line) / columns[c + 1].inputs);
    for (unsigned p = 0; p < processors; ++p)
        topology.add_processor(first.front() + columns.front().wire_in(p) / columns.front().inputs,
                               first.back() + p / columns.back().outputs);
    topology.set_tag_digits(std::move(digits));
    topology.set_switches(SwitchKind::crossbar);
    topology.set_default_ports(one_port);
    return topology;
}

/// What omega and butterfly have in common: log2 N columns of N/2 switches, column c consuming bit log2 N - 1
/// - c of the destination.
Topology build_banyan(const std::string& name, unsigned processors,
                      const std::function<unsigned(unsigned column, unsigned line)>& wire)
{
    const unsigned bits = exact_log2(name, processors);
    check_size(name, {processors, saturating_product({bits, processors / 2}),
                      saturating_product({bits, processors})});
    std::vector<Column> columns;
    for (unsigned c = 0; c < bits; ++c)
        columns.push_back({processors / 2, 2, 2, [&wire, c](unsigned line) { return wire(c, line); },
                           TagDigit{2, 1u << (bits - 1 - c)}});
    return build(name, processors, columns);
}

/// Moves the bit at `position` of `line` to the right end: where a butterfly column, whose switches hold two
/// lines that differ in that bit, has its line.
unsigned bit_to_end(unsigned line, unsigned position)
{
    const unsigned low = line & ((1u << position) - 1);
    return (line >> (position + 1) << (position + 1)) | low << 1 | (line >> position & 1);
}

/// The inverse of bit_to_end.
unsigned bit_from_end(unsigned line, unsigned position)
{
    const unsigned low = line >> 1 & ((1u << position) - 1);
    return (line >> (position + 1) << (position + 1)) | (line & 1) << position | low;
}

} // namespace

Topology make_omega(unsigned processors)
{
    const auto shuffle = [processors](unsigned, unsigned line) {
        return line < processors / 2 ? 2 * line : 2 * line - processors + 1;
    };
    return build_banyan(fmt::format("omega:{}", processors), processors, shuffle);
}

Topology make_butterfly(unsigned processors)
{
    const std::string name = fmt::format("butterfly:{}", processors);
    const unsigned top = exact_log2(name, processors) - 1;
    const auto wire = [top](unsigned column, unsigned line) {
        const unsigned straightened = column == 0 ? line : bit_from_end(line, top - (column - 1));
        return bit_to_end(straightened, top - column);
    };
    return build_banyan(name, processors, wire);
}

Topology make_clos(unsigned n, unsigned m, unsigned r)
{
    const std::string name = fmt::format("clos:{},{},{}", n, m, r);
    if (n == 0 || m == 0 || r == 0)
        throw std::invalid_argument(fmt::format("{}: every size is at least 1", name));
    check_size(name,
               {saturating_product({n, r}), saturating_product({2, r}) + m, saturating_product({2, m, r})});
    // Output line i*m + j of the first column reaches input i of middle switch j, and back in the same way.
    const auto to_middle = [m, r](unsigned line) { return line % m * r + line / m; };
    const auto from_middle = [m, r](unsigned line) { return line % r * m + line / r; };
    return build(name, n * r,
                 {{r, n, m, straight, TagDigit{m, 1, true}},
                  {m, r, r, to_middle, TagDigit{r, n}},
                  {r, m, n, from_middle, TagDigit{n, 1}}});
}

std::string benes_name(unsigned q, unsigned n, unsigned truncated)
{
    return truncated == 0 ? fmt::format("benes:{},{}", q, n) : fmt::format("benes:{},{},{}", q, n, truncated);
}

Topology make_benes(unsigned q, unsigned n, unsigned truncated)
{
    const std::string name = benes_name(q, n, truncated);
    if (q < 2 || n < 1)
        throw std::invalid_argument(fmt::format("{}: q is at least 2 and n at least 1", name));
    if (truncated >= n)
        throw std::invalid_argument(fmt::format("{}: at most n-1 = {} columns can be removed", name, n - 1));
    const std::uint64_t lines = saturating_power(q, n);
    const std::uint64_t column_count = 2 * std::uint64_t{n} - 1 - truncated;
    check_size(name, {lines, saturating_product({column_count, lines / q}),
                      saturating_product({column_count, lines})});

    const auto processors = static_cast<unsigned>(lines);
    std::vector<Column> columns;
    for (unsigned label = static_cast<unsigned>(column_count);
         label-- > 0;) { // as in the paper: 0 is the rightmost
        Column column{processors / q, q, q, straight, TagDigit{q, 1, label >= n}};
        if (label < n)
            column.digit.divisor = static_cast<unsigned>(saturating_power(q, label));
        if (!columns.empty()) {
            // The wires between a column and the q copies inside it stay among the lines of one B(q, order).
            const bool outward = label >= n - 1;
            const unsigned order = outward ? label + 3 - n : n - label;
            const auto block = static_cast<unsigned>(saturating_power(q, order));
            const unsigned copy = block / q;
            if (outward) // output j of switch i to input i of copy j
                column.wire_in = [=](unsigned line) {
                    return line / block * block + line % q * copy + line % block / q;
                };
            else // output i of copy j to input j of switch i
                column.wire_in = [=](unsigned line) {
                    return line / block * block + line % copy * q + line % block / copy;
                };
        }
        columns.push_back(std::move(column));
    }
    return build(name, processors, columns);
}

} // namespace nocturne
