#include "schedules/collective/contribution_bits.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {
namespace {

std::optional<std::size_t> first_bit(std::size_t word, std::uint64_t bits)
{
    return bits == 0 ? std::nullopt : std::optional{word * 64 + std::size_t(std::countr_zero(bits))};
}

} // namespace

std::optional<std::size_t> first_common(const ContributionBits& a, const ContributionBits& b)
{
    for (std::size_t word = 0; word < a.size(); ++word)
        if (const auto bit = first_bit(word, a[word] & b[word]))
            return bit;
    return std::nullopt;
}

std::optional<std::size_t> first_beyond(const ContributionBits& a, const ContributionBits& b)
{
    for (std::size_t word = 0; word < a.size(); ++word)
        if (const auto bit = first_bit(word, a[word] & ~b[word]))
            return bit;
    return std::nullopt;
}

ContributionBits united(const ContributionBits& a, const ContributionBits& b)
{
    ContributionBits both = a;
    for (std::size_t word = 0; word < a.size(); ++word)
        both[word] |= b[word];
    return both;
}

ContributionBits bits_of(const Chunk& chunk, const std::vector<std::uint32_t>& contributors)
{
    ContributionBits bits((chunk.contributors.size() + 63) / 64, 0);
    for (const std::uint32_t contributor : contributors) {
        const auto found = std::ranges::lower_bound(chunk.contributors, contributor);
        const auto index = static_cast<std::size_t>(found - chunk.contributors.begin());
        bits[index / 64] |= std::uint64_t{1} << index % 64;
    }
    return bits;
}

} // namespace nocturne
