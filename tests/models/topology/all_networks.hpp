// Every generator at many sizes: what the sweeps of this room run over.
#pragma once

#include <string>
#include <vector>

namespace nocturne::test {

/// Specifications of every kind of network, small ones first, none of more than 256 processors. The test of
/// the table of specifications checks that no kind is missing.
std::vector<std::string> all_networks();

/// A few of each kind: enough for a property that does not depend on size.
std::vector<std::string> small_networks();

} // namespace nocturne::test
