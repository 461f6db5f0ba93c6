#include "schedules/schedule/schedule_bytes.hpp"

#include "schedules/schedule/bytes.hpp"

#include <array>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

using Word = std::uint32_t;

constexpr Word without_path = ~Word{0};

/// A number of things of `words` words or more each, as many as can follow.
Word extract_count(std::span<const std::uint8_t>& bytes, std::size_t words)
{
    const auto count = extract_value<Word>(bytes);
    if (count > bytes.size() / sizeof(Word) / words)
        throw std::runtime_error("fewer bytes than the steps of a schedule have");
    return count;
}

Transfer extract_transfer(std::span<const std::uint8_t>& bytes)
{
    std::array<Word, 4> head{};
    extract_values(bytes, head);
    Transfer transfer{{head[0], head[3] / 2},
                      head[1],
                      head[2],
                      std::nullopt,
                      head[3] % 2 == 0 ? Operation::copy : Operation::add};
    std::span<const std::uint8_t> ahead = bytes;
    if (extract_value<Word>(ahead) == without_path) {
        bytes = ahead;
        return transfer;
    }
    transfer.path.emplace(extract_count(bytes, 1));
    extract_values(bytes, *transfer.path);
    return transfer;
}

/// Without collective, steps and what waits for what.
auto fields_of(auto& schedule)
{
    return std::tie(schedule.name, schedule.source, schedule.topology, schedule.ports, schedule.switching,
                    schedule.slack, schedule.synchronization, schedule.made_for, schedule.rounds,
                    schedule.inputs, schedule.outputs);
}

} // namespace

std::vector<std::uint8_t> to_bytes(std::span<const Step> steps)
{
    std::vector<Word> words{static_cast<Word>(steps.size())};
    for (const Step& step : steps) {
        words.push_back(static_cast<Word>(step.size()));
        for (const Transfer& transfer : step) {
            words.insert(words.end(), {transfer.message, transfer.source, transfer.destination,
                                       Word{transfer.to} * 2 + static_cast<Word>(transfer.operation)});
            words.push_back(transfer.path ? static_cast<Word>(transfer.path->size()) : without_path);
            if (transfer.path)
                words.insert(words.end(), transfer.path->begin(), transfer.path->end());
        }
    }
    std::vector<std::uint8_t> bytes;
    append_values(bytes, words);
    return bytes;
}

std::vector<std::uint8_t> to_bytes(const Schedule& schedule)
{
    std::vector<std::uint8_t> bytes;
    append_fields(bytes, fields_of(schedule));
    const ProcessorGrid grid = schedule.translations.value_or(ProcessorGrid{});
    append_list(bytes, grid.sizes);
    append_list(bytes, grid.members);
    const auto dependents = static_cast<Word>(schedule.after.empty() ? 0 : count_transfers(schedule));
    append_value(bytes, dependents);
    for (Word id = 0; id < dependents; ++id)
        append_list(bytes, schedule.after.of(id));
    append_values(bytes, to_bytes(schedule.steps));
    return bytes;
}

Schedule schedule_from_bytes(std::span<const std::uint8_t> bytes, Collective collective)
{
    Schedule schedule;
    schedule.collective = std::move(collective);
    extract_fields(bytes, fields_of(schedule));
    ProcessorGrid grid;
    grid.sizes = extract_list<std::uint32_t>(bytes);
    grid.members = extract_list<std::uint32_t>(bytes);
    if (!grid.members.empty())
        schedule.translations = std::move(grid);
    for (Word left = extract_value<Word>(bytes); left > 0; --left)
        schedule.after.push_back(extract_list<std::uint32_t>(bytes));
    schedule.steps = steps_from_bytes(bytes);
    return schedule;
}

std::vector<Step> steps_from_bytes(std::span<const std::uint8_t> bytes)
{
    std::vector<Step> steps(extract_count(bytes, 1));
    for (Step& step : steps) {
        const Word transfers = extract_count(bytes, 5);
        step.reserve(transfers);
        for (Word i = 0; i < transfers; ++i)
            step.push_back(extract_transfer(bytes));
    }
    require_end(bytes);
    return steps;
}

} // namespace nocturne
