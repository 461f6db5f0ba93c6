// What all lists of fields do (fields.hpp), compiled once: a list hands pointers to its results on, whose
// type only the functions in its rows know. There are some hundred kinds of results.
#pragma once

#include "sim/report/result_description.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nocturne::fields {

/// What reads a field: a member, or a function without a state; of which type, only its reader knows.
class Getter {
public:
    template <class Get>
        requires(std::is_trivially_copyable_v<Get> && sizeof(Get) <= 2 * sizeof(void*))
    explicit Getter(const Get& get)
    {
        std::memcpy(bytes_.data(), &get, sizeof(Get));
    }

    template <class Get>
    Get as() const
    {
        std::array<std::byte, sizeof(Get)> bytes;
        std::copy_n(bytes_.begin(), bytes.size(), bytes.begin());
        return std::bit_cast<Get>(bytes);
    }

private:
    std::array<std::byte, 2 * sizeof(void*)> bytes_{};
};

/// A field of results of one type.
struct Row {
    FieldDescription description; ///< its kind and its parts are set by whoever knows the type
    Getter getter;
    nlohmann::ordered_json (*value)(const Getter& getter, const void* result);
    /// Null: it follows from others.
    void (*set)(const Getter& getter, const nlohmann::json& value, void* result) = nullptr;
    std::function<bool(const void* result)> is_there; ///< where not, it is null in JSON; empty: everywhere
    std::function<const void*(const void* result)> part_of; ///< the part that has it; empty: the whole
    std::function<double(const void* result)> factor;       ///< what a number is multiplied by; empty: 1

    Row(std::string_view name, std::string_view unit, std::string_view meaning, Shown shown, Getter getter,
        decltype(value) value);
    // Compiled once, not wherever a list is written.
    Row(const Row&);
    Row(Row&&) noexcept;
    Row& operator=(const Row&);
    Row& operator=(Row&&) noexcept;
    ~Row();

    /// Into the object of the result.
    void write(nlohmann::ordered_json& json, const void* result) const;
    /// Out of it. Throws nlohmann::json::exception if it is missing, or of another type.
    void read(const nlohmann::json& json, void* result) const;
};

/// All fields of results of one type.
class List {
public:
    List(std::string_view name, std::string_view meaning);

    void add(Row row);
    /// The rows of a part of the result.
    void add_part(const List& part, const std::function<const void*(const void* result)>& part_of);
    /// See Fields::with_ns().
    void add_ns(const std::function<double(const void* result)>& cycle_ns);

    nlohmann::ordered_json json_of(const void* result) const;
    void read(const nlohmann::json& json, void* result) const;

    const ResultDescription& description() const { return description_; }

private:
    std::vector<Row> rows_;
    ResultDescription description_;
};

nlohmann::ordered_json text_or_null(std::string_view text);

/// Throws nlohmann::json::type_error for anything else.
std::size_t size_of_array(const nlohmann::json& json);

} // namespace nocturne::fields
