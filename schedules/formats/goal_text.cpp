#include "schedules/formats/goal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

bool is_local(const ChunkTransfer& transfer)
{
    return transfer.path.empty();
}

/// What a rank does, and by which label it is known there.
class RankText {
public:
    std::size_t add(const std::string& operation)
    {
        fmt::format_to(std::back_inserter(text_), "l{}: {}\n", ++labels_, operation);
        return labels_;
    }
    void require(std::size_t label, std::size_t before)
    {
        fmt::format_to(std::back_inserter(text_), "l{} requires l{}\n", label, before);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::size_t labels_ = 0;
};

/// Where a transfer begins and ends; of a local one both labels are the same.
struct Labels {
    std::size_t begin = 0;
    std::size_t end = 0;
};

} // namespace

std::string to_goal_text(const ChunkedSchedule& schedule, std::uint64_t bytes_per_weight)
{
    const std::uint32_t ranks = schedule.collective.processors;
    std::vector<RankText> text(ranks);
    std::vector<Labels> labels;
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    for (std::size_t id = 0; id < schedule.transfers.size(); ++id) {
        const ChunkTransfer& transfer = schedule.transfers[id];
        if (std::max(transfer.source, transfer.destination) >= ranks)
            throw std::invalid_argument("GOAL has no switches that hold chunks");
        if (is_local(transfer)) {
            const std::size_t label = text[transfer.source].add("calc 0");
            labels.push_back({label, label});
            continue;
        }
        const std::uint64_t bytes = weights[id] * bytes_per_weight;
        labels.push_back(
            {text[transfer.source].add(fmt::format("send {}b to {} tag {}", bytes, transfer.destination, id)),
             text[transfer.destination].add(
                 fmt::format("recv {}b from {} tag {}", bytes, transfer.source, id))});
    }
    const auto wait = [&](std::size_t id, std::size_t before) {
        const ChunkTransfer& transfer = schedule.transfers[id];
        const NodeId at = schedule.transfers[before].destination;
        if (at == transfer.source)
            text[at].require(labels[id].begin, labels[before].end);
        else if (at == transfer.destination)
            text[at].require(labels[id].end, labels[before].end);
    };
    std::vector<std::vector<std::size_t>> ended(ranks); // in earlier steps, by rank
    std::vector<std::size_t> in_step;
    for (std::size_t id = 0; id < schedule.transfers.size(); ++id) {
        const ChunkTransfer& transfer = schedule.transfers[id];
        for (const std::uint32_t before : transfer.after)
            wait(id, before);
        if (schedule.synchronization != ChunkSynchronization::steps)
            continue;
        if (!in_step.empty() && schedule.transfers[in_step.front()].step != transfer.step) {
            for (const std::size_t before : in_step)
                ended[schedule.transfers[before].destination].push_back(before);
            in_step.clear();
        }
        for (const std::size_t before : ended[transfer.source])
            wait(id, before);
        if (is_local(transfer)) // what comes in the same step is there
            for (const std::size_t before : in_step)
                wait(id, before);
        in_step.push_back(id);
    }
    std::string result = fmt::format("num_ranks {}\n", ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        result += fmt::format("\nrank {} {{\n{}}}\n", rank, text[rank].text());
    return result;
}

} // namespace nocturne
