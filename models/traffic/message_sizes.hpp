// How long messages are.
#pragma once

#include "models/routing/random.hpp"
#include "models/traffic/pattern.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne {

/// A distribution of message sizes in flits. A value.
class MessageSizes {
public:
    struct Size {
        std::uint32_t flits; ///< 1 .. 2^20
        double weight = 1;
    };

    /// Throws std::invalid_argument for a size out of range, and as AliasTable.
    explicit MessageSizes(std::vector<Size> sizes);

    double mean_flits() const { return mean_flits_; }
    std::uint32_t most_flits() const { return most_flits_; }
    std::uint32_t draw(SplitMix64& random) const
    {
        return sizes_.size() == 1 ? sizes_[0].flits : sizes_[table_.draw(random)].flits;
    }

private:
    std::vector<Size> sizes_;
    AliasTable table_;
    double mean_flits_ = 0;
    std::uint32_t most_flits_ = 0;
};

/// `8`, or `2:0.7,16:0.3`: sizes in flits with their weights. Throws std::invalid_argument for another text
/// and as the constructor.
MessageSizes make_message_sizes(std::string_view text);

} // namespace nocturne
