// Values as bytes of the same program: how results come back from worker processes, and how states are saved.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

namespace nocturne {

/// `values` are contiguous: a vector, an array or a span.
template <typename Values>
void append_values(std::vector<std::uint8_t>& bytes, const Values& values)
{
    static_assert(std::is_trivially_copyable_v<typename decltype(std::span(values))::value_type>);
    const auto data = std::as_bytes(std::span(values));
    const std::size_t end = bytes.size();
    bytes.resize(end + data.size());
    if (!data.empty())
        std::memcpy(bytes.data() + end, data.data(), data.size());
}

template <typename Value>
void append_value(std::vector<std::uint8_t>& bytes, const Value& value)
{
    append_values(bytes, std::span(&value, 1));
}

/// Their number first.
template <typename Values>
void append_list(std::vector<std::uint8_t>& bytes, const Values& values)
{
    append_value(bytes, std::uint64_t{std::size(values)});
    append_values(bytes, values);
}

/// Takes the values from the front of `bytes`. Throws std::runtime_error if there are not so many, as the
/// functions below do.
template <typename Values>
void extract_values(std::span<const std::uint8_t>& bytes, Values&& values)
{
    static_assert(std::is_trivially_copyable_v<typename decltype(std::span(values))::value_type>);
    const auto data = std::as_writable_bytes(std::span(values));
    if (bytes.size() < data.size())
        throw std::runtime_error("fewer bytes than the values have");
    if (!data.empty())
        std::memcpy(data.data(), bytes.data(), data.size());
    bytes = bytes.subspan(data.size());
}

template <typename Value>
Value extract_value(std::span<const std::uint8_t>& bytes)
{
    Value value{};
    extract_values(bytes, std::span(&value, 1));
    return value;
}

template <typename Value>
std::vector<Value> extract_list(std::span<const std::uint8_t>& bytes)
{
    const auto count = extract_value<std::uint64_t>(bytes);
    if (count > bytes.size() / sizeof(Value))
        throw std::runtime_error("fewer bytes than the values have");
    std::vector<Value> values(count);
    extract_values(bytes, values);
    return values;
}

/// Fields of a struct, as std::tie() lists them: values, and vectors or texts, their length first.
template <typename... Fields>
void append_fields(std::vector<std::uint8_t>& bytes, const std::tuple<Fields&...>& fields)
{
    const auto append = [&](const auto& field) {
        if constexpr (requires { std::span(field); })
            append_list(bytes, field);
        else
            append_value(bytes, field);
    };
    std::apply([&](const auto&... each) { (append(each), ...); }, fields);
}

template <typename... Fields>
void extract_fields(std::span<const std::uint8_t>& bytes, const std::tuple<Fields&...>& fields)
{
    const auto extract = [&]<typename Field>(Field& field) {
        if constexpr (requires { std::span(field); }) {
            const auto values = extract_list<typename Field::value_type>(bytes);
            field.assign(values.begin(), values.end());
        } else {
            field = extract_value<Field>(bytes);
        }
    };
    std::apply([&](auto&... each) { (extract(each), ...); }, fields);
}

/// All values have been taken: throws std::runtime_error if bytes are left.
inline void require_end(std::span<const std::uint8_t> bytes)
{
    if (!bytes.empty())
        throw std::runtime_error("more bytes than the values have");
}

} // namespace nocturne
