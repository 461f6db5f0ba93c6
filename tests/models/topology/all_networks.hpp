// Every generator at many sizes, from networks.txt.
#pragma once

#include "models/topology/topology.hpp"

#include <string>
#include <vector>

namespace nocturne::test {

/// Specifications of every kind of network, small ones first, none of more than 256 processors. The test of
/// the table of specifications checks that no kind is missing.
std::vector<std::string> all_networks();

/// A few of each kind: enough for a property that does not depend on size.
std::vector<std::string> small_networks();

/// Is it a kind of that trait? networks.txt explains them.
bool has_trait(const std::string& spec, const std::string& trait);

/// A network in which nothing has its default value and names are awkward.
Topology unusual_topology();

} // namespace nocturne::test
