#include "sim/rtl/rtl_design.hpp"

#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <system_error>
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
