#include "models/traffic/rank_programs.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <tuple>

namespace nocturne {

namespace {

using Operation = RankPrograms::Operation;
using MessageKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>; ///< from, to, tag

MessageKey key_of(const Operation& operation)
{
    return operation.kind == RankPrograms::Kind::send
               ? MessageKey{operation.rank, operation.peer, operation.tag}
               : MessageKey{operation.peer, operation.rank, operation.tag};
}

/// As many receives as sends for all ranks and tags.
void check_matches(const RankPrograms& programs, const std::string& path)
{
    std::map<MessageKey, std::pair<std::int64_t, std::uint32_t>> open; // more sends, and a line
    for (const Operation& operation : programs.operations)
        if (operation.kind != RankPrograms::Kind::compute) {
            auto& [sends, line] = open[key_of(operation)];
            sends += operation.kind == RankPrograms::Kind::send ? 1 : -1;
            line = operation.line;
        }
    for (const auto& [key, what] : open)
        if (const auto& [sends, line] = what; sends != 0) {
            const auto& [from, to, tag] = key;
            throw std::runtime_error(
                sends > 0
                    ? fmt::format("{}:{}: rank {} sends to rank {} tag {} more often than that receives",
                                  path, line, from, to, tag)
                    : fmt::format("{}:{}: rank {} receives from rank {} tag {} more often than that sends",
                                  path, line, to, from, tag));
        }
}

/// Everything takes no time: whether it comes to an end does not depend on that.
class Rehearsal {
public:
    explicit Rehearsal(const RankPrograms& programs)
        : programs_(programs), waits_(programs.operations.size()), is_over_(programs.operations.size()),
          after_(programs.operations.size()), after_start_(programs.operations.size())
    {
        for (std::uint32_t id = 0; id < programs.operations.size(); ++id) {
            const Operation& operation = programs.operations[id];
            waits_[id] = static_cast<std::uint32_t>(operation.after.size() + operation.after_start.size());
            for (const std::uint32_t before : operation.after)
                after_[before].push_back(id);
            for (const std::uint32_t before : operation.after_start)
                after_start_[before].push_back(id);
        }
    }

    /// The first operation that never is over, if there is one.
    std::optional<std::uint32_t> stuck()
    {
        for (std::uint32_t id = 0; id < waits_.size(); ++id)
            if (waits_[id] == 0)
                ready_.push_back(id);
        while (!ready_.empty()) {
            const std::uint32_t id = ready_.back();
            ready_.pop_back();
            begin(id);
        }
        for (std::uint32_t id = 0; id < is_over_.size(); ++id)
            if (!is_over_[id])
                return id;
        return std::nullopt;
    }

private:
    void begin(std::uint32_t id)
    {
        release(after_start_[id]);
        const Operation& operation = programs_.operations[id];
        if (operation.kind != RankPrograms::Kind::receive)
            end(id);
        if (operation.kind == RankPrograms::Kind::compute)
            return;
        auto& [sent, receives] = messages_[key_of(operation)];
        if (operation.kind == RankPrograms::Kind::send)
            ++sent;
        else
            receives.push_back(id);
        for (; sent > 0 && !receives.empty(); --sent) {
            const std::uint32_t receive = receives.back(); // which one of them does not matter here
            receives.pop_back();
            end(receive);
        }
    }
    void end(std::uint32_t id)
    {
        is_over_[id] = true;
        release(after_[id]);
    }
    void release(const std::vector<std::uint32_t>& followers)
    {
        for (const std::uint32_t follower : followers)
            if (--waits_[follower] == 0)
                ready_.push_back(follower);
    }

    const RankPrograms& programs_;
    std::vector<std::uint32_t> waits_;
    std::vector<bool> is_over_;
    std::vector<std::vector<std::uint32_t>> after_;
    std::vector<std::vector<std::uint32_t>> after_start_;
    std::vector<std::uint32_t> ready_;
    std::map<MessageKey, std::pair<std::uint64_t, std::vector<std::uint32_t>>> messages_;
};

} // namespace

void check_programs(const RankPrograms& programs, const std::string& path)
{
    check_matches(programs, path);
    if (const auto stuck = Rehearsal(programs).stuck())
        throw std::runtime_error(fmt::format("{}:{}: an operation of rank {} never ends: it waits for itself "
                                             "through other operations",
                                             path, programs.operations[*stuck].line,
                                             programs.operations[*stuck].rank));
}

} // namespace nocturne
