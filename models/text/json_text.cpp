#include "models/text/json_text.hpp"

#include "models/text/unique_members.hpp"

#include <nlohmann/json.hpp>

namespace nocturne {

nlohmann::json json_from_text(std::string_view text)
{
    return nlohmann::json::parse(text);
}

nlohmann::ordered_json ordered_json_from_text(std::string_view text)
{
    return nlohmann::ordered_json::parse(text);
}

nlohmann::json json_of_unique_members(std::string_view text)
{
    return nlohmann::json::parse(text, UniqueMembers());
}

nlohmann::ordered_json ordered_json_of_unique_members(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, UniqueMembers());
}

nlohmann::json json_from_cbor(std::span<const std::uint8_t> bytes)
{
    return nlohmann::json::from_cbor(bytes.data(), bytes.data() + bytes.size());
}

nlohmann::json json_or_discarded(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json ordered_json_or_discarded(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

std::string json_text(const nlohmann::json& json, int indent)
{
    return json.dump(indent);
}
std::string json_text(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent);
}

std::string json_text_replacing(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text_replacing(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<std::uint8_t> json_to_cbor(const nlohmann::json& json)
{
    return nlohmann::json::to_cbor(json);
}

} // namespace nocturne
