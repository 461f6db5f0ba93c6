// Control tags: how a message finds its way through a Benes network.
#pragma once

#include "models/benes/benes_wiring.hpp"
#include "models/routing/random.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

/// Writes the digits that lead to a destination; `tag` has one digit for each column, the free ones stay.
inline void write_destination(const BenesWiring& wiring, std::uint32_t destination,
                              std::span<std::uint16_t> tag)
{
    for (unsigned column = wiring.free_columns(); column < wiring.columns(); ++column)
        tag[column] = static_cast<std::uint16_t>(wiring.destination_digit(column, destination));
}

/// How a source that was blocked tries again.
enum class Randomization {
    single,  ///< SR: always with the tag of the first attempt
    multiple ///< MR: each time with a tag of its own
};

/// The free digits that one source draws, attempt after attempt. A source's draws depend on seed and source
/// only: every model of it draws the same ones.
class TagDraws {
public:
    TagDraws(std::uint64_t seed, std::uint32_t source, Randomization randomization)
        : random_(SplitMix64(seed ^ (std::uint64_t{source} << 32))()), randomization_(randomization)
    {
    }

    /// Writes the free digits of the next attempt; the same as before for single randomization, once there
    /// are some.
    void draw(const BenesWiring& wiring, std::span<std::uint16_t> free_digits)
    {
        if (has_drawn_ && randomization_ == Randomization::single)
            return;
        has_drawn_ = true;
        for (std::uint16_t& digit : free_digits)
            digit = static_cast<std::uint16_t>(random_.below(wiring.switch_size()));
    }

private:
    SplitMix64 random_;
    Randomization randomization_;
    bool has_drawn_ = false;
};

/// Who wins an output that several messages want in the same network cycle.
enum class Arbitration {
    random,     ///< any of them with equal probability, drawn for each output and network cycle
    lowest_port ///< the one at the lowest input port of the switch
};

/// The weight of a request; the lowest one wins. Depends on its arguments only, not on who asks first.
/// Requests of one switch have different input lines, so that ties are broken by the line.
inline std::uint64_t request_weight(Arbitration arbitration, std::uint64_t seed, std::uint32_t attempt,
                                    unsigned column, std::uint32_t input_line)
{
    if (arbitration == Arbitration::lowest_port)
        return input_line;
    const std::uint64_t key = (std::uint64_t{attempt} << 40) ^ (std::uint64_t{column} << 32) ^ input_line;
    return SplitMix64(SplitMix64(~seed ^ key)())() >> 32 << 32 | input_line;
}

} // namespace nocturne
