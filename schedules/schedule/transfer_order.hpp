// What comes before what in a schedule without barriers.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// The transfers in an order in which each comes after those that it waits for; without those that wait for
/// themselves. Indices that do not exist are not followed.
std::vector<std::uint32_t> order_of_transfers(const Schedule& schedule);

/// The same, and each also after those before it on its links: an order in which they can start.
std::vector<std::uint32_t> order_of_transfers(const Schedule& schedule, const LinkNetwork& network);

/// Those that come after each transfer, in a row for each: a list of its own for each is slow to free.
class Followers {
public:
    /// Of each transfer in the order of the pairs, which name transfers that exist.
    Followers(std::size_t transfers,
              std::span<const std::pair<std::uint32_t, std::uint32_t>> before_and_after);
    /// Those that name the transfer, of transfers that exist.
    explicit Followers(const Schedule& schedule);

    std::span<const std::uint32_t> of(std::uint32_t transfer) const
    {
        return {all_.data() + begin_[transfer], all_.data() + begin_[transfer + 1]};
    }

private:
    std::vector<std::size_t> begin_; ///< by transfer, and the end of the last
    std::vector<std::uint32_t> all_;
};

/// Answers whether one transfer has ended when another starts, by the dependencies that the transfers name.
/// What links carry first says when transfers start, and nothing of when they end.
class EndsBeforeStart {
public:
    /// `order` is order_of_transfers(); both must outlive this.
    EndsBeforeStart(const Schedule& schedule, const std::vector<std::uint32_t>& order);

    /// Takes time for what lies between the two, searched from both ends; none if `later` names `earlier`.
    bool operator()(std::uint32_t earlier, std::uint32_t later);

private:
    /// What has been reached from one of the two transfers.
    struct Search {
        std::vector<std::uint32_t> seen; ///< by which query
        std::vector<std::uint32_t> open;
    };

    const Schedule& schedule_;
    Followers followers_;
    std::vector<std::uint32_t> position_; ///< in the order
    Search back_;
    Search on_;
    std::uint32_t query_ = 0;
};

} // namespace nocturne
