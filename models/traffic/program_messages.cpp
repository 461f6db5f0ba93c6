#include "models/traffic/program_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

class MessageJudge {
public:
    MessageJudge(const RankPrograms& programs, std::vector<ProgramDefect>& defects)
        : programs_(programs), operations_(programs.operations), defects_(defects)
    {
    }

    void judge(const MessageKey& key, const KeyedMessages& messages)
    {
        const std::size_t sends = messages.sends.size(), receives = messages.receives.size();
        const auto [from, to, tag] = key;
        if (sends > receives)
            report(ProgramRule::unmatched_message, messages.sends.back(), sends - receives,
                   fmt::format("rank {} sends {} with tag {} to rank {}, which receives {}", from,
                               counted(sends), tag, to, receives));
        else if (receives > sends)
            report(ProgramRule::unmatched_message, messages.receives.back(), receives - sends,
                   fmt::format("rank {} receives {} with tag {} from rank {}, which sends {}", to,
                               counted(receives), tag, from, sends));
        else
            judge_sizes(key, messages);
    }

private:
    void judge_sizes(const MessageKey& key, const KeyedMessages& messages)
    {
        std::vector<std::uint64_t> sent = sizes_of(messages.sends), received = sizes_of(messages.receives);
        if (messages.has_ordered_sends && messages.has_ordered_receives) {
            judge_pairs(messages, sent, received);
            return;
        }
        const auto [from, to, tag] = key;
        const std::string subject =
            fmt::format("the {} with tag {} from rank {} to rank {}", counted(sent.size()), tag, from, to);
        std::ranges::sort(sent);
        std::ranges::sort(received);
        if (sent != received)
            report(ProgramRule::mismatched_message, messages.receives.back(), 1,
                   subject + " are received with other sizes than they are sent with");
        else if (sent.front() != sent.back())
            report(ProgramRule::mismatched_message,
                   messages.has_ordered_sends ? messages.receives.back() : messages.sends.back(), 1,
                   fmt::format("{} differ in size, and rank {} {} them in no order", subject,
                               messages.has_ordered_sends ? to : from,
                               messages.has_ordered_sends ? "receives" : "sends"));
    }

    void judge_pairs(const KeyedMessages& messages, const std::vector<std::uint64_t>& sent,
                     const std::vector<std::uint64_t>& received)
    {
        const auto first = std::ranges::mismatch(sent, received).in1;
        if (first == sent.end())
            return;
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
            count += sent[i] != received[i] ? 1U : 0U;
        const auto at = static_cast<std::size_t>(first - sent.begin());
        const RankPrograms::Operation& send = operations_[messages.sends[at]];
        report(ProgramRule::mismatched_message, messages.receives[at], count,
               fmt::format("rank {} receives {} bytes with tag {} from rank {}, which sends {} ({} {})",
                           send.peer, received[at], send.tag, send.rank, sent[at], line_word(programs_),
                           send.line));
    }

    static std::string counted(std::size_t count)
    {
        return fmt::format("{} message{}", count, count == 1 ? "" : "s");
    }

    std::vector<std::uint64_t> sizes_of(const std::vector<std::uint32_t>& operations) const
    {
        std::vector<std::uint64_t> sizes;
        for (const std::uint32_t id : operations)
            sizes.push_back(operations_[id].bytes);
        return sizes;
    }

    void report(ProgramRule rule, std::uint32_t id, std::uint64_t count, std::string text)
    {
        defects_.push_back({rule, operations_[id].rank, operations_[id].line, std::move(text), count});
    }

    const RankPrograms& programs_;
    const std::vector<RankPrograms::Operation>& operations_;
    std::vector<ProgramDefect>& defects_;
};

} // namespace

void judge_messages(const RankPrograms& programs, const MessagesByKey& messages,
                    std::vector<ProgramDefect>& defects)
{
    MessageJudge judge(programs, defects);
    for (const auto& [key, of_key] : messages)
        judge.judge(key, of_key);
}

} // namespace nocturne
