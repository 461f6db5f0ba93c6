// What a message says of a name that does not exist: which one was probably meant.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// `text` for a message: whole if it has at most 40 characters, otherwise its beginning and `...`.
std::string shortened(std::string_view text);

/// The name of `known` that `text` probably stands for: fewer than a third of its letters, and at most three,
/// are missing, too many, others or swapped with their neighbours (optimal string alignment distance; upper
/// and lower case are the same). The first of several that are equally near; nothing if none is near.
std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> known);

/// `did you mean 'mesh'?`, of nearest_name(), or for a word of another tool (find_neighbour_word()) `here it
/// is '--flit-bytes' (Noxim): bits there, bytes here`, with the difference if there is one; empty if neither
/// is among `known`.
std::string meant_name(std::string_view text, std::span<const std::string> known);

/// "unknown network 'mash': did you mean 'mesh'? Known are mesh, torus", or, if none is near, "unknown
/// network 'x': known are mesh, torus", or, if none is known, "unknown network 'x': there are none". Of more
/// than 26 the others are counted. Those of `also` are known, too, but not listed.
std::string unknown_name(std::string_view kind, std::string_view text, std::span<const std::string> known,
                         std::span<const std::string> also = {});

/// Where in `known` the name is. Throws std::invalid_argument, of unknown_name(), if it is none of them.
std::size_t index_of_name(std::string_view kind, std::string_view text, std::span<const std::string> known);

/// The value whose to_string() it is. Throws as index_of_name().
template <class Value>
Value value_named(std::string_view kind, std::string_view text, std::initializer_list<Value> values)
{
    std::vector<std::string> known;
    for (const Value value : values)
        known.emplace_back(to_string(value));
    return values.begin()[index_of_name(kind, text, known)];
}

} // namespace nocturne
