#include "tests/schedules/sums/shortest_sum.hpp"

#include "tests/schedules/bounds/shortest_schedule.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

namespace nocturne::test {

namespace {

constexpr std::size_t most_processors = 4;

/// By processor the contributions that it has, a bit each, of one message.
using SumState = std::array<std::uint8_t, most_processors>;

/// A transfer that a step can have.
struct Move {
    ProcessorId source;
    ProcessorId destination;
    std::uint64_t channels; ///< of its path, a bit each
    bool adds;
};

class Exhaustive {
public:
    Exhaustive(const Problem& problem, const Collective& owed) : problem_(problem), owed_(owed)
    {
        const Topology& topology = problem.topology;
        if (topology.processor_count() > most_processors || topology.channel_count() > 64)
            throw std::invalid_argument("too large for all schedules to be tried");
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            for (ProcessorId to = 0; to < topology.processor_count(); ++to)
                if (source != to)
                    for (const Path& path : all_paths(problem, source, to))
                        for (const bool adds : {false, true})
                            moves_.push_back({source, to, bits_of(path), adds});
    }

    /// Of at most `most` steps; most + 1 if none is.
    std::size_t fewest_steps(std::size_t most)
    {
        SumState start{};
        for (const std::uint32_t id : owed_.chunks.front().contributors)
            start[id] = static_cast<std::uint8_t>(1U << id);
        std::set<SumState> states{start}, seen = states;
        for (std::size_t steps = 0; steps <= most; ++steps) {
            std::set<SumState> next;
            for (const SumState& state : states) {
                if (is_over(state))
                    return steps;
                if (steps < most)
                    take_steps(state, [&](const SumState& after) {
                        if (seen.insert(after).second)
                            next.insert(after);
                    });
            }
            states = std::move(next);
        }
        return most + 1;
    }

private:
    static std::uint64_t bits_of(const Path& path)
    {
        std::uint64_t bits = 0;
        for (const ChannelId channel : path)
            bits |= std::uint64_t{1} << channel;
        return bits;
    }

    bool is_over(const SumState& state) const
    {
        for (const Demand& demand : owed_.demands) {
            unsigned owed = 0;
            for (const std::uint32_t contributor : demand.contributors)
                owed |= 1U << contributor;
            if (state[demand.receiver] != owed)
                return false;
        }
        return true;
    }

    template <class Found>
    void take_steps(const SumState& before, Found found)
    {
        const Topology& topology = problem_.topology;
        std::uint64_t taken = 0;
        std::array<unsigned, most_processors> sent{}, received{};
        std::array<bool, most_processors> is_copied{};
        const auto go_on = [&](const auto& again, std::size_t first, const SumState& after) -> void {
            found(after);
            for (std::size_t i = first; i < moves_.size(); ++i) {
                const Move& move = moves_[i];
                if ((taken & move.channels) != 0 || is_copied[move.destination] ||
                    (!move.adds && received[move.destination] > 0) || before[move.source] == 0 ||
                    (move.adds && after[move.destination] == 0) ||
                    (move.adds && (after[move.destination] & before[move.source]) != 0) ||
                    sent[move.source] == send_ports(topology, move.source, problem_.ports) ||
                    received[move.destination] == receive_ports(topology, move.destination, problem_.ports))
                    continue;
                taken |= move.channels;
                ++sent[move.source];
                ++received[move.destination];
                is_copied[move.destination] = !move.adds;
                SumState then = after;
                then[move.destination] = static_cast<std::uint8_t>(before[move.source] |
                                                                   (move.adds ? after[move.destination] : 0));
                again(again, i + 1, then);
                is_copied[move.destination] = false;
                --sent[move.source];
                --received[move.destination];
                taken &= ~move.channels;
            }
        };
        go_on(go_on, 0, before);
    }

    const Problem& problem_;
    const Collective& owed_;
    std::vector<Move> moves_;
};

} // namespace

std::size_t fewest_steps_of_one(const Problem& problem, const Collective& owed, std::size_t most)
{
    return Exhaustive(problem, owed).fewest_steps(most);
}

} // namespace nocturne::test
