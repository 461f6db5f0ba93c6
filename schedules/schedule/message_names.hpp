// How a schedule's file says which message a transfer carries.
#pragma once

#include "schedules/collective/collective.hpp"

#include <optional>

namespace nocturne {

/// A message is named by its origin, and its receiver if it has just one; where sums or the parts of a block
/// have no such name, by its number.
class MessageNames {
public:
    /// The collective must outlive it.
    explicit MessageNames(const Collective& collective)
        : collective_(collective), are_numbers_(collective.parts > 1 || reduces(collective))
    {
    }

    bool are_numbers() const { return are_numbers_; }

    /// The message that need not be named: that of the source for the destination, or the only sum.
    std::optional<MessageId> implied(std::uint32_t source, std::uint32_t destination) const
    {
        if (!are_numbers_)
            return find_message(collective_, source, destination);
        return collective_.chunks.size() == 1 ? std::optional<MessageId>{0} : std::nullopt;
    }

private:
    const Collective& collective_;
    bool are_numbers_;
};

} // namespace nocturne
