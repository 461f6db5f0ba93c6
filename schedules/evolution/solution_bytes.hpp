// Solutions and states of islands as bytes of the same program: how they are saved, and how they travel.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/schedule/bytes.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

/// Takes a chromosome of the encoding from the front of `bytes`. Throws std::runtime_error for one of another
/// problem.
Chromosome extract_chromosome(std::span<const std::uint8_t>& bytes, const ChromosomeEncoding& encoding);

} // namespace nocturne
