// Values that may be missing, as null: the library's version in Debian 12 does not know std::optional.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

template <class Value>
struct nlohmann::adl_serializer<std::optional<Value>> {
    static void to_json(json& json, const std::optional<Value>& value)
    {
        json = value ? nlohmann::json(*value) : nlohmann::json();
    }
    static void from_json(const json& json, std::optional<Value>& value)
    {
        value = json.is_null() ? std::nullopt : std::optional(json.get<Value>());
    }
};
