// JSON as text and as CBOR, both ways, compiled once: nlohmann's readers and writers are templates that take
// a compiler seconds wherever they are called.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// These throw nlohmann::json::parse_error.
nlohmann::json json_from_text(std::string_view text);
nlohmann::ordered_json ordered_json_from_text(std::string_view text); ///< members keep their order
nlohmann::json json_from_cbor(std::span<const std::uint8_t> bytes);

/// The same, but std::invalid_argument, which names place and member, for an object that has a member twice.
nlohmann::json json_of_unique_members(std::string_view text);
nlohmann::ordered_json ordered_json_of_unique_members(std::string_view text);

/// Discarded (`is_discarded()`) instead of an error.
nlohmann::json json_or_discarded(std::string_view text);
nlohmann::ordered_json ordered_json_or_discarded(std::string_view text);

/// On one line, or with so many spaces for each level from `indent` 0 on. Throws nlohmann::json::type_error
/// for text that is not UTF-8.
std::string json_text(const nlohmann::json& json, int indent = -1);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// On one line, with U+FFFD for what is not UTF-8.
std::string json_text_replacing(const nlohmann::json& json);
std::string json_text_replacing(const nlohmann::ordered_json& json);

std::vector<std::uint8_t> json_to_cbor(const nlohmann::json& json);

} // namespace nocturne
