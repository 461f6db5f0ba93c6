// Programs in MSCCL's XML that are a little wrong, or not.
#pragma once

#include "models/routing/random.hpp"

#include <pugixml.hpp>
#include <string>

namespace nocturne::test {

/// The text, with its thread blocks and steps numbered as they are listed.
std::string numbered(const pugi::xml_document& document);

/// What a file might say instead, here and there.
std::string mutated(const std::string& xml, SplitMix64& random);

} // namespace nocturne::test
