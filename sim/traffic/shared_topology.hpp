// A network that many curves are of.
#pragma once

#include "models/topology/topology.hpp"

#include <memory>
#include <utility>

namespace nocturne {

/// A topology whose copies are one in memory; it does not change. A value.
class SharedTopology {
public:
    SharedTopology(Topology topology) : topology_(std::make_shared<const Topology>(std::move(topology))) {}

    operator const Topology&() const { return *topology_; } // NOLINT(google-explicit-constructor)
    const Topology& operator*() const { return *topology_; }
    const Topology* operator->() const { return topology_.get(); }

    /// Is it one in memory?
    bool is(const SharedTopology& other) const { return topology_ == other.topology_; }

private:
    std::shared_ptr<const Topology> topology_;
};

} // namespace nocturne
