// Lists of collectives that run at once, as people write them.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/concurrent/concurrent.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What a list leaves to its reader.
struct CollectiveWords {
    /// Processors of a list in the words of an option: `0-7`, names. Throws std::invalid_argument.
    std::function<std::vector<std::uint32_t>(const std::string& list)> processors;
    std::function<std::uint64_t(std::string_view text)> bytes;  ///< of `64MiB`; throws std::invalid_argument
    std::function<std::uint64_t(std::string_view text)> cycles; ///< of `10us`; likewise
};

/// Reads, for a network of so many processors,
///
///     {"collectives": [
///         {"name": "tensor", "collective": "all-reduce", "groups": {"size": 8}, "bytes": "64MiB"},
///         {"name": "data", "collective": "reduce-scatter", "groups": ["0,8,16", "1,9,17"], "bytes": 1048576,
///          "after": ["tensor"], "start": "10us"}]}
///
/// where `size` and `stride` are all groups of so many processors each so many apart, and `stride` is 1
/// unless it is given; `after` names collectives further up; `start` is a time or a number of cycles. Throws
/// std::runtime_error, one line that says where, for what cannot be read, and names that occur twice or not
/// at all.
std::vector<ConcurrentCollective> read_collectives(const JsonPlace& place, std::uint32_t processors,
                                                   const CollectiveWords& words);

} // namespace nocturne
