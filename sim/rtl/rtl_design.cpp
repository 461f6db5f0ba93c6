#include "sim/rtl/rtl_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace nocturne {

void RtlDesign::add_source(RtlFile file)
{
    design_sources.push_back(file.name);
    add(std::move(file));
}

void RtlDesign::add_bench_source(RtlFile file)
{
    bench_sources.push_back(file.name);
    add(std::move(file));
}

namespace {

bool is_part_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// With the prefix before each of the modules and before each image, also as the README has them:
/// `router_R.hex`, `nocturne_*.sv`, Verilator's program `V` and Icarus' option `-P` with the name behind it.
std::string prefixed(const std::string& text, const std::set<std::string, std::less<>>& modules,
                     const std::string& prefix)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_part_of_name(text[end]))
            ++end;
        std::string_view word = std::string_view(text).substr(at, end - at);
        const std::string_view rest = std::string_view(text).substr(end);
        const bool has_letter = word.starts_with('V') || word.starts_with('P');
        if (has_letter && modules.contains(word.substr(1))) {
            result += word.front();
            word.remove_prefix(1);
        }
        if (modules.contains(word) || (!word.empty() && rest.starts_with(".hex")) ||
            (word == "nocturne_" && rest.starts_with("*.sv")))
            result += prefix;
        result += word;
        for (at = end; at < text.size() && !is_part_of_name(text[at]); ++at)
            result += text[at];
    }
    return result;
}

} // namespace

RtlDesign with_prefix(RtlDesign design, std::string_view prefix)
{
    if (prefix.empty() || !std::ranges::all_of(prefix, is_part_of_name) ||
        (prefix.front() >= '0' && prefix.front() <= '9'))
        throw std::invalid_argument(
            fmt::format("'{}' is no name in Verilog: letters, digits and _, and no digit first", prefix));
    // Modules have the names of their files. Instances and signals have others.
    std::set<std::string, std::less<>> modules;
    for (const RtlFile& file : design.files)
        if (file.name.ends_with(".sv"))
            modules.insert(file.name.substr(0, file.name.size() - 3));
    const std::string before = fmt::format("{}_", prefix);
    for (RtlFile& file : design.files) {
        if (!file.name.ends_with(".hex"))
            file.content = prefixed(file.content, modules, before);
        if (file.name != "README.md")
            file.name = before + file.name;
    }
    for (std::vector<std::string>* sources : {&design.design_sources, &design.bench_sources})
        for (std::string& source : *sources)
            source.insert(0, before);
    design.top = before + design.top;
    design.bench = before + design.bench;
    return design;
}

unsigned bits_for(std::uint64_t largest)
{
    return largest == 0 ? 1 : static_cast<unsigned>(std::bit_width(largest));
}

void HexWord::append(std::uint64_t value, unsigned bits)
{
    for (unsigned bit = 0; bit < bits; ++bit)
        bits_.push_back(bit < 64 && (value >> bit & 1) != 0);
}

std::string HexWord::text() const
{
    std::string digits;
    for (std::size_t first = 0; first < bits_.size(); first += 4) {
        unsigned digit = 0;
        for (std::size_t bit = first; bit < std::min(first + 4, bits_.size()); ++bit)
            digit |= bits_[bit] ? 1u << (bit - first) : 0;
        digits.insert(digits.begin(), "0123456789abcdef"[digit]);
    }
    return digits;
}

} // namespace nocturne
