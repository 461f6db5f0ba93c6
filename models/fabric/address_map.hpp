// Which target answers for which addresses: a value that is checked when it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// What a target sees of the addresses of its range.
enum class TargetAddresses : std::uint8_t {
    relative, ///< counted from the beginning of the range
    absolute  ///< as the initiator gave them
};

/// A range of addresses, both ends included.
struct AddressRange {
    std::string target;
    std::uint64_t first = 0;
    std::uint64_t last = 0; ///< `first` or more
    TargetAddresses addresses = TargetAddresses::relative;
    unsigned priority = 0;                    ///< where ranges overlap the highest one counts
    std::vector<std::string> initiators = {}; ///< that see the range; empty: all
};

/// A piece of an initiator's addresses that one range answers for.
struct AddressRegion {
    std::uint64_t first = 0;
    std::uint64_t last = 0;   ///< included
    std::uint32_t target = 0; ///< index in AddressMap::targets()
    std::uint64_t base = 0;   ///< the initiator's address that is 0 to the target

    bool contains(std::uint64_t address) const { return address - first <= last - first; }
    /// Are `bytes` from `address`, which it contains, all in it?
    bool contains(std::uint64_t address, std::uint64_t bytes) const
    {
        return bytes == 0 || bytes - 1 <= last - address;
    }
    std::uint64_t to_target(std::uint64_t address) const { return address - base; }
    std::uint64_t to_initiator(std::uint64_t address) const { return address + base; }
};

/// What one initiator sees: regions in the order of their addresses, none of which overlap.
class AddressView {
public:
    explicit AddressView(std::vector<AddressRegion> regions);

    std::span<const AddressRegion> regions() const { return regions_; }
    /// The region with that address; null if there is none.
    const AddressRegion* find(std::uint64_t address) const;

private:
    std::vector<AddressRegion> regions_;
    // Where to look: the addresses from the first to the last region in pieces of 2^shift_, and for each
    // piece the last region that begins at its beginning or before; one more for the end.
    std::vector<std::uint32_t> starts_;
    unsigned shift_ = 0;
};

/// The address map of a platform.
class AddressMap {
public:
    /// What is in no range goes, with absolute addresses, to the default target. Throws std::invalid_argument
    /// for a range that ends before it begins, a target without a name, two ranges of one priority that
    /// overlap for an initiator (both are named), and a map without any range or default target.
    explicit AddressMap(std::vector<AddressRange> ranges, std::optional<std::string> default_target = {});

    /// Each name once, in the order in which the ranges name them, the default target last.
    std::span<const std::string> targets() const { return targets_; }
    std::span<const AddressRange> ranges() const { return ranges_; }
    /// Those that some range is for only.
    std::span<const std::string> initiators() const { return initiators_; }

    AddressView view(const std::string& initiator) const;

private:
    std::uint32_t target_index(const std::string& name) const;

    std::vector<AddressRange> ranges_;
    std::optional<std::string> default_target_;
    std::vector<std::string> targets_;
    std::vector<std::string> initiators_;
};

} // namespace nocturne
