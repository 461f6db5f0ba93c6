// What comes before what in a schedule without barriers.
#pragma once

#include "schedules/chunks/chunked_schedule.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The transfers in an order in which each comes after those that it waits for; without those that wait for
/// themselves. Indices that do not exist are not followed.
std::vector<std::uint32_t> order_of_transfers(const ChunkedSchedule& schedule);

/// The same, and each also after those before it on its links: an order in which they can start.
std::vector<std::uint32_t> order_of_transfers(const ChunkedSchedule& schedule, const LinkNetwork& network);

/// Answers whether one transfer has ended when another starts, by the dependencies that the transfers name.
/// What links carry first says when transfers start, and nothing of when they end.
class EndsBeforeStart {
public:
    /// `order` is order_of_transfers(); both must outlive this.
    EndsBeforeStart(const ChunkedSchedule& schedule, const std::vector<std::uint32_t>& order);

    /// Takes time for what lies between the two, searched from both ends; none if `later` names `earlier`.
    bool operator()(std::uint32_t earlier, std::uint32_t later);

private:
    /// What has been reached from one of the two transfers.
    struct Search {
        std::vector<std::uint32_t> seen; ///< by which query
        std::vector<std::uint32_t> open;
    };

    const ChunkedSchedule& schedule_;
    std::vector<std::vector<std::uint32_t>> followers_;
    std::vector<std::uint32_t> position_; ///< in the order
    Search back_;
    Search on_;
    std::uint32_t query_ = 0;
};

} // namespace nocturne
