// Networks made of networks, from text.
#pragma once

#include "models/topology/composition.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"

#include <fmt/format.h>

#include <string>

namespace nocturne::test {

/// A file of a composition called `chip` that has these members besides.
inline std::string composition_of(const std::string& members)
{
    return fmt::format(R"({{"format": "nocturne-composition", "version": 1, "name": "chip", {}}})", members);
}

/// What a file of that name and text composes.
inline Topology composed(const std::string& text, const std::string& file = "chip.json")
{
    const nlohmann::json document = parse_json(text, file);
    return compose(JsonPlace(document, file), make_topology);
}

} // namespace nocturne::test
