// Valid texts made wrong, in their bytes or in their structure; the same generator gives the same damage.
#pragma once

#include "models/routing/random.hpp"

#include <span>
#include <string>
#include <string_view>

namespace nocturne::test {

/// One of the choices.
template <typename Choices>
const auto& any_of(const Choices& choices, SplitMix64& random)
{
    return choices[random.below(static_cast<std::uint32_t>(std::size(choices)))];
}

/// A number as somebody might type it: small, at the limits of some type, with a fraction, or none at all.
std::string odd_number(SplitMix64& random);

/// One to four edits: bytes changed, left out, put in, repeated, cut off; numbers replaced by odd ones.
std::string damage_bytes(std::string text, SplitMix64& random);

/// JSON whose values (one or two, anywhere) were replaced by values of another type, left out, doubled or
/// exchanged. What is no JSON gets damage_bytes().
std::string damage_json(const std::string& text, SplitMix64& random);

} // namespace nocturne::test
