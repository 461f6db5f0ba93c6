#include "tests/models/traffic/program_executor.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace nocturne::test {

namespace {

using StepName = std::pair<unsigned, unsigned>; ///< rank and step

unsigned drawn(std::mt19937& random, std::size_t bound)
{
    return static_cast<unsigned>(random() % bound);
}

bool chance(std::mt19937& random, double share)
{
    return std::uniform_real_distribution<>(0, 1)(random) < share;
}

std::size_t count_steps(const ProgramText& program, std::size_t ranks)
{
    std::size_t steps = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        steps += program[rank].size();
    return steps;
}

std::size_t number_of(const ProgramText& program, StepName name)
{
    return count_steps(program, name.first) + name.second;
}

/// Everything that has happened and still matters.
struct ProgramState {
    explicit ProgramState(const ProgramText& program)
        : begun(count_steps(program, program.size()), 'n'), ended(begun)
    {
    }

    std::string begun, ended; ///< by the steps of all ranks: y or n
    std::map<std::tuple<unsigned, unsigned, unsigned>,
             std::pair<std::vector<unsigned>, std::vector<StepName>>>
        open; ///< by from, to, tag: sizes that were sent, receives that wait
    bool sizes_agree = true;

    auto operator<=>(const ProgramState&) const = default;

    std::vector<StepName> able(const ProgramText& program) const
    {
        std::vector<StepName> able;
        for (unsigned rank = 0; rank < program.size(); ++rank)
            for (unsigned i = 0; i < program[rank].size(); ++i) {
                const std::size_t first = count_steps(program, rank);
                const ProgramStep& step = program[rank][i];
                const auto is_in = [&](const std::string& done) {
                    return [&done, first](unsigned before) { return done[first + before] == 'y'; };
                };
                if (begun[first + i] == 'n' && std::ranges::all_of(step.after, is_in(ended)) &&
                    std::ranges::all_of(step.after_start, is_in(begun)))
                    able.emplace_back(rank, i);
            }
        return able;
    }

    void begin(const ProgramText& program, StepName name)
    {
        const ProgramStep& step = program[name.first][name.second];
        begun[number_of(program, name)] = 'y';
        if (step.kind != 'r')
            ended[number_of(program, name)] = 'y';
        if (step.kind == 'c')
            return;
        const bool sends = step.kind == 's';
        auto& [sizes, receives] =
            open[{sends ? name.first : step.peer, sends ? step.peer : name.first, step.tag}];
        if (sends)
            sizes.push_back(step.bytes);
        else
            receives.push_back(name);
        while (!sizes.empty() && !receives.empty()) {
            const auto [rank, i] = receives.front();
            sizes_agree = sizes_agree && sizes.front() == program[rank][i].bytes;
            ended[number_of(program, receives.front())] = 'y';
            sizes.erase(sizes.begin());
            receives.erase(receives.begin());
        }
    }

    /// It is at its end.
    void add_to(ProgramOutcome& outcome) const
    {
        outcome.sizes_agree = outcome.sizes_agree && sizes_agree;
        (ended.find('n') == std::string::npos ? outcome.is_stuck : outcome.is_ended) = false;
        outcome.has_leftovers = outcome.has_leftovers || std::ranges::any_of(open, [](const auto& queue) {
                                    return !queue.second.first.empty();
                                });
    }
};

} // namespace

std::string goal_of(const ProgramText& program)
{
    std::string text = "num_ranks " + std::to_string(program.size()) + "\n";
    for (std::size_t rank = 0; rank < program.size(); ++rank) {
        text += "rank " + std::to_string(rank) + " {\n";
        const auto label = [](std::size_t i) { return "l" + std::to_string(i); };
        for (std::size_t i = 0; i < program[rank].size(); ++i) {
            const ProgramStep& step = program[rank][i];
            text += label(i) + (step.kind == 'c'   ? ": calc 5"
                                : step.kind == 's' ? ": send " + std::to_string(step.bytes) + "b to "
                                                   : ": recv " + std::to_string(step.bytes) + "b from ");
            if (step.kind != 'c')
                text += std::to_string(step.peer) + " tag " + std::to_string(step.tag);
            text += '\n';
        }
        for (std::size_t i = 0; i < program[rank].size(); ++i) {
            for (const unsigned before : program[rank][i].after)
                text += label(i) + " requires " + label(before) + "\n";
            for (const unsigned before : program[rank][i].after_start)
                text += label(i) + " irequires " + label(before) + "\n";
        }
        text += "}\n";
    }
    return text;
}

ProgramText random_program(std::mt19937& random, unsigned ranks, unsigned messages, double chained)
{
    ProgramText program(ranks);
    const auto append = [&](unsigned rank, ProgramStep step) {
        const auto before = static_cast<unsigned>(program[rank].size());
        if (before > 0 && chance(random, chained))
            (chance(random, 0.3) ? step.after_start : step.after).push_back(before - 1);
        if (before > 1 && chance(random, 0.3))
            step.after.push_back(drawn(random, before - 1));
        program[rank].push_back(step);
    };
    for (unsigned i = 0; i < messages; ++i) {
        const unsigned from = drawn(random, ranks);
        const unsigned to = (from + 1 + drawn(random, ranks - 1)) % ranks;
        const unsigned tag = drawn(random, 2);
        const unsigned bytes = chance(random, 0.85) ? 8 : 16;
        append(from, {'s', to, tag, bytes});
        append(to, {'r', from, tag, bytes});
        if (chance(random, 0.2))
            append(from, {});
    }
    return program;
}

void mutate(ProgramText& program, std::mt19937& random)
{
    auto& rank = program[drawn(random, program.size())];
    if (rank.empty())
        return;
    const unsigned at = drawn(random, rank.size()), other = drawn(random, rank.size());
    ProgramStep& step = rank[at];
    switch (drawn(random, 8)) {
    case 0: // lost; what was after it is after nothing
        step.kind = 'c';
        break;
    case 1:
        rank.push_back(step);
        break;
    case 2:
        step.tag += 1;
        break;
    case 3:
        step.bytes += 8;
        break;
    case 4:
        step.peer = (step.peer + 1) % static_cast<unsigned>(program.size());
        break;
    case 5: { // they change places, not what they wait for
        std::swap(step, rank[other]);
        std::swap(step.after, rank[other].after);
        std::swap(step.after_start, rank[other].after_start);
        break;
    }
    case 6:
        step.after.push_back(other);
        break;
    default:
        step.after.clear();
    }
}

ProgramOutcome outcome_of_all(const ProgramText& program, std::size_t most_states)
{
    ProgramOutcome outcome;
    std::vector<ProgramState> open{ProgramState(program)};
    std::set<ProgramState> seen{open.front()};
    while (!open.empty()) {
        const ProgramState state = std::move(open.back());
        open.pop_back();
        const std::vector<StepName> able = state.able(program);
        if (able.empty())
            state.add_to(outcome);
        for (const StepName& name : able) {
            ProgramState next = state;
            next.begin(program, name);
            if (seen.size() >= most_states) {
                outcome.is_all = false;
                return outcome;
            }
            if (seen.insert(next).second)
                open.push_back(std::move(next));
            // The order of computations makes no difference.
            if (program[name.first][name.second].kind == 'c')
                break;
        }
    }
    return outcome;
}

ProgramOutcome random_outcome(const ProgramText& program, std::mt19937& random)
{
    ProgramState state(program);
    for (std::vector<StepName> able = state.able(program); !able.empty(); able = state.able(program))
        state.begin(program, able[drawn(random, able.size())]);
    ProgramOutcome outcome;
    outcome.is_all = false;
    state.add_to(outcome);
    return outcome;
}

bool are_ordered(const ProgramText& program)
{
    for (const auto& rank : program) {
        const std::size_t size = rank.size();
        std::vector<std::vector<bool>> precedes(size, std::vector<bool>(size));
        for (std::size_t i = 0; i < size; ++i)
            for (const auto* const before : {&rank[i].after, &rank[i].after_start})
                for (const unsigned earlier : *before)
                    precedes[earlier][i] = true;
        for (std::size_t k = 0; k < size; ++k)
            for (std::size_t i = 0; i < size; ++i)
                for (std::size_t j = 0; j < size; ++j)
                    precedes[i][j] = precedes[i][j] || (precedes[i][k] && precedes[k][j]);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (rank[i].kind != 'c' && rank[i].kind == rank[j].kind && rank[i].peer == rank[j].peer &&
                    rank[i].tag == rank[j].tag && !precedes[i][j] && !precedes[j][i])
                    return false;
    }
    return true;
}

} // namespace nocturne::test
