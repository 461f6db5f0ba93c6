// Trees in two levels, on networks of boxes.
#pragma once

#include "schedules/chunk_bounds/spread.hpp"
#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/chunk_trees/hop_order.hpp"

#include <vector>

namespace nocturne {

struct BoxTrees {
    std::vector<ChunkTree> trees; ///< one for each chunk
    /// Which hop a link takes first; the times are 0. What crosses from box to box comes first, all roots
    /// sending equally far; inside boxes the chunks follow in their turn, the longest way first.
    std::vector<HopStart> order;
};

/// A chunk goes from its root to the others of its column (grid_of_columns()), one in each box, and from each
/// of them over a tree that is packed among the links of its box. Of the candidates for boxes (boxes_of())
/// those whose fullest link carries the least. Empty where there are no boxes with columns, trees cannot be
/// packed in one, or the end comes first.
BoxTrees trees_in_boxes(const LinkNetwork& network, const Collective& copied, const SpreadToAll& spread,
                        const PackedTreesConfig& config);

} // namespace nocturne
