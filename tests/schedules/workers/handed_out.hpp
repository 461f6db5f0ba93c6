// Jobs that are texts, handed out to whatever runs them.
#pragma once

#include "schedules/workers/job_pool.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::test {

inline Bytes bytes(std::string_view text)
{
    return {text.begin(), text.end()};
}

inline std::string text(std::span<const std::uint8_t> content)
{
    return {content.begin(), content.end()};
}

/// Hands out jobs 0, 1, … with these contents and returns their results by number.
inline std::map<std::uint64_t, JobResult> results_of(const JobTransport& transport,
                                                     const std::vector<std::string>& orders)
{
    std::map<std::uint64_t, JobResult> results;
    std::uint64_t next = 0;
    hand_out(
        transport,
        [&]() -> std::optional<JobMessage> {
            if (next == orders.size())
                return std::nullopt;
            const std::uint64_t id = next++;
            return JobMessage{id, bytes(orders[id])};
        },
        [&](std::vector<JobResult> some) {
            for (JobResult& result : some) {
                const std::uint64_t id = result.id;
                CHECK(results.emplace(id, std::move(result)).second);
            }
        });
    return results;
}

} // namespace nocturne::test
