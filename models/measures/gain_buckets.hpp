// Nodes by what they save if they change sides: the buckets of Fiduccia and Mattheyses.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::measures {

/// Doubly linked lists, one for each gain from -reach to reach; the last that was inserted comes first. All
/// operations take constant time, but for best(), which takes that of the gains that became empty.
class GainBuckets {
public:
    static constexpr NodeId none = ~0u;

    GainBuckets(NodeId nodes, std::int64_t reach)
        : reach_(reach), head_(static_cast<std::size_t>(2 * reach + 1), none), next_(nodes, none),
          previous_(nodes, none), gain_(nodes)
    {
    }

    void insert(NodeId node, std::int64_t gain)
    {
        NodeId& head = head_[place(gain)];
        gain_[node] = gain;
        next_[node] = head;
        previous_[node] = none;
        if (head != none)
            previous_[head] = node;
        head = node;
        if (gain > top_)
            top_ = gain;
    }
    /// Only of a node that was inserted and not removed since.
    void remove(NodeId node)
    {
        if (previous_[node] == none)
            head_[place(gain_[node])] = next_[node];
        else
            next_[previous_[node]] = next_[node];
        if (next_[node] != none)
            previous_[next_[node]] = previous_[node];
    }
    void change(NodeId node, std::int64_t by)
    {
        remove(node);
        insert(node, gain_[node] + by);
    }
    std::int64_t gain(NodeId node) const { return gain_[node]; }

    /// One of the largest gain; none if there is no node.
    NodeId best()
    {
        while (top_ > -reach_ && head_[place(top_)] == none)
            --top_;
        return head_[place(top_)];
    }

private:
    std::size_t place(std::int64_t gain) const { return static_cast<std::size_t>(gain + reach_); }

    std::int64_t reach_;
    std::int64_t top_ = -reach_;
    std::vector<NodeId> head_; // by gain
    std::vector<NodeId> next_; // by node
    std::vector<NodeId> previous_;
    std::vector<std::int64_t> gain_;
};

} // namespace nocturne::measures
