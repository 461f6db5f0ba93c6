// Values that may be missing, as null: the library's version in Debian 12 does not know std::optional.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

template <class Value>
struct nlohmann::adl_serializer<std::optional<Value>> {
    template <class Json>
    static void to_json(Json& json, const std::optional<Value>& value)
    {
        if (value)
            json = *value;
        else
            json = nullptr;
    }
    static void from_json(const json& json, std::optional<Value>& value)
    {
        value = json.is_null() ? std::nullopt : std::optional(json.get<Value>());
    }
};
