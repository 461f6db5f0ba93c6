// Solutions and states of islands as bytes of the same program: how they are saved, and how they travel.
#pragma once

#include "schedules/evolution/chromosome.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
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

/// Takes the values from the front of `bytes`. Throws std::runtime_error if there are not so many.
template <typename Values>
void extract_values(std::span<const std::uint8_t>& bytes, Values&& values)
{
    static_assert(std::is_trivially_copyable_v<typename decltype(std::span(values))::value_type>);
    const auto data = std::as_writable_bytes(std::span(values));
    if (bytes.size() < data.size())
        throw std::runtime_error("fewer bytes than a solution or the state of an island has");
    if (!data.empty())
        std::memcpy(data.data(), bytes.data(), data.size());
    bytes = bytes.subspan(data.size());
}

/// Takes a chromosome of the encoding from the front of `bytes`. Throws std::runtime_error for one of another
/// problem.
Chromosome extract_chromosome(std::span<const std::uint8_t>& bytes, const ChromosomeEncoding& encoding);

} // namespace nocturne
