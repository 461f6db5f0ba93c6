// Values of attributes in graphs (graph_document.hpp), which are text.
#pragma once

#include "models/topology/attribute_names.hpp"
#include "models/topology/graph_document.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::graph_document {

/// The value under either of the names that `name` has in `known`; nothing if it is empty. Throws
/// std::invalid_argument if two names contradict each other.
std::optional<std::string> attribute(const Attributes& attributes, std::span<const AttributeName> known,
                                     std::string_view name);

// Each throws std::invalid_argument, or returns nothing, for what is none.

/// What a router has of its own.
RouterPart router_part_of(const Attributes& attributes);

/// As Graphviz, Python and XML Schema write it.
std::optional<bool> parse_truth(std::string_view text);
/// "x,y".
std::optional<Position> parse_position(std::string_view text);
/// From 1.
std::vector<unsigned> numbers_of(std::string_view text, char separator);
/// "radix:divisor", with ":free" behind it for a free one.
TagDigit parse_digit(std::string_view text);
/// A JSON array of texts.
std::vector<std::string> parse_names(const std::string& text);

/// Remarks on attributes that are none of ours, each once, but those of `passed_over`.
void remark_others(const Document& document, std::string_view origin,
                   std::span<const std::string_view> passed_over);

} // namespace nocturne::graph_document
