// Which keys FlooGen's network descriptions have.
#pragma once

#include "models/topology/yaml_place.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// The keys of the document that are not FlooGen's, each once: `clock`, `latency of routers`. Throws
/// std::runtime_error with the place for one that is near a key that there is: it is misspelt.
std::vector<std::string> unknown_floogen_keys(const YamlPlace& root);

} // namespace nocturne
