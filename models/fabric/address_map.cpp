#include "models/fabric/address_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr unsigned piece_bits = 8; // a table that stays in the cache
constexpr std::uint64_t highest_address = std::numeric_limits<std::uint64_t>::max();

std::string describe(const AddressRange& range)
{
    return fmt::format("{} at {:#x}..{:#x}", range.target, range.first, range.last);
}

void add_name(std::vector<std::string>& names, const std::string& name)
{
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

bool is_seen_by(const AddressRange& range, const std::string& initiator)
{
    return range.initiators.empty() ||
           std::ranges::find(range.initiators, initiator) != range.initiators.end();
}

bool have_a_common_initiator(const AddressRange& a, const AddressRange& b)
{
    return a.initiators.empty() || b.initiators.empty() ||
           std::ranges::any_of(a.initiators, [&](const std::string& name) { return is_seen_by(b, name); });
}

void require_distinct(const std::vector<AddressRange>& ranges)
{
    for (auto a = ranges.begin(); a != ranges.end(); ++a)
        for (auto b = a + 1; b != ranges.end(); ++b)
            if (a->priority == b->priority && a->first <= b->last && b->first <= a->last &&
                have_a_common_initiator(*a, *b))
                throw std::invalid_argument(
                    fmt::format("address map: {} and {} overlap; give one of them a higher priority",
                                describe(*a), describe(*b)));
}

/// Where some range begins, or the addresses behind one.
std::vector<std::uint64_t> boundaries(const std::vector<const AddressRange*>& ranges)
{
    std::vector<std::uint64_t> result{0};
    for (const AddressRange* range : ranges) {
        result.push_back(range->first);
        if (range->last != highest_address)
            result.push_back(range->last + 1);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace

AddressView::AddressView(std::vector<AddressRegion> regions) : regions_(std::move(regions))
{
    if (regions_.empty())
        return;
    const std::uint64_t span = regions_.back().last - regions_.front().first;
    const auto bits = static_cast<unsigned>(std::bit_width(span));
    shift_ = bits > piece_bits ? bits - piece_bits : 0;
    std::uint32_t region = 0;
    for (std::uint64_t piece = 0; piece <= span >> shift_; ++piece) {
        const std::uint64_t begin = regions_.front().first + (piece << shift_);
        while (region + 1 < regions_.size() && regions_[region + 1].first <= begin)
            ++region;
        starts_.push_back(region);
    }
    starts_.push_back(static_cast<std::uint32_t>(regions_.size() - 1));
}

const AddressRegion* AddressView::find(std::uint64_t address) const
{
    if (regions_.empty() || address < regions_.front().first || address > regions_.back().last)
        return nullptr;
    const std::uint64_t piece = (address - regions_.front().first) >> shift_;
    const AddressRegion* region = &regions_[starts_[piece]];
    const AddressRegion* const last = &regions_[starts_[piece + 1]];
    if (region != last) // the piece has several
        region = std::upper_bound(
                     region + 1, last + 1, address,
                     [](std::uint64_t value, const AddressRegion& other) { return value < other.first; }) -
                 1;
    return region->contains(address) ? region : nullptr;
}

AddressMap::AddressMap(std::vector<AddressRange> ranges, std::optional<std::string> default_target)
    : ranges_(std::move(ranges)), default_target_(std::move(default_target))
{
    if (ranges_.empty() && !default_target_)
        throw std::invalid_argument("address map: neither a range nor a default target");
    for (const AddressRange& range : ranges_) {
        if (range.target.empty())
            throw std::invalid_argument(fmt::format("address map: the range at {:#x}..{:#x} names no target",
                                                    range.first, range.last));
        if (range.last < range.first)
            throw std::invalid_argument(
                fmt::format("address map: {} ends before it begins", describe(range)));
        add_name(targets_, range.target);
        for (const std::string& initiator : range.initiators)
            add_name(initiators_, initiator);
    }
    require_distinct(ranges_);
    if (default_target_ && default_target_->empty())
        throw std::invalid_argument("address map: the default target has no name");
    if (default_target_)
        add_name(targets_, *default_target_);
}

std::uint32_t AddressMap::target_index(const std::string& name) const
{
    return static_cast<std::uint32_t>(std::ranges::find(targets_, name) - targets_.begin());
}

AddressView AddressMap::view(const std::string& initiator) const
{
    std::vector<const AddressRange*> seen;
    for (const AddressRange& range : ranges_)
        if (is_seen_by(range, initiator))
            seen.push_back(&range);

    std::vector<AddressRegion> regions;
    const AddressRange* before = nullptr;
    const std::vector<std::uint64_t> begins = boundaries(seen);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::uint64_t first = begins[i];
        const std::uint64_t last = i + 1 < begins.size() ? begins[i + 1] - 1 : highest_address;
        const AddressRange* best = nullptr;
        for (const AddressRange* range : seen)
            if (range->first <= first && first <= range->last &&
                (best == nullptr || range->priority > best->priority))
                best = range;
        const bool continues = best == before && !regions.empty() && regions.back().last + 1 == first;
        before = best;
        if (continues) {
            regions.back().last = last;
        } else if (best != nullptr) {
            const bool is_relative = best->addresses == TargetAddresses::relative;
            regions.push_back({first, last, target_index(best->target), is_relative ? best->first : 0});
        } else if (default_target_) {
            regions.push_back({first, last, target_index(*default_target_), 0});
        }
    }
    return AddressView(std::move(regions));
}

} // namespace nocturne
