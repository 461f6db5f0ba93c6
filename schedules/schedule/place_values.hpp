// What is where while a chunked schedule runs, followed in the abstract: chunks and sets of contributions.
#pragma once

#include "schedules/collective/contribution_bits.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace nocturne {

/// What is at a place. Copies share their bits.
struct PlaceValue {
    ChunkId chunk = 0;
    std::shared_ptr<const ContributionBits> contributions; ///< none: something wrong, already reported

    bool is_known() const { return contributions != nullptr; }
};

/// Everybody's places. Before the first transfer they hold each contribution where its contributor has it.
class PlaceValues {
public:
    /// The collective's and the placements' indices must exist.
    explicit PlaceValues(const Schedule& schedule);

    /// Nothing if nothing is there.
    const PlaceValue* find(NodeId node, PlaceId place) const;
    void set(NodeId node, PlaceId place, PlaceValue value);

private:
    std::unordered_map<std::uint64_t, PlaceValue> values_;
};

} // namespace nocturne
