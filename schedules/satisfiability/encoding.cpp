#include "schedules/satisfiability/encoding.hpp"

#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/encoders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

void check_steps(unsigned steps)
{
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
}

/// Who has which message: one row of processors for each message.
class Possession {
public:
    explicit Possession(const Problem& problem)
        : processors_(problem.topology.processor_count()),
          has_(problem.collective.messages().size() * processors_)
    {
    }

    std::vector<bool>::reference at(MessageId message, ProcessorId processor)
    {
        return has_[message * processors_ + processor];
    }

private:
    std::size_t processors_;
    std::vector<bool> has_;
};

/// What a model says can be more than a schedule needs: messages for those who have them, and for nobody.
std::vector<TimedTransfer> without_idle_transfers(const Problem& problem,
                                                  std::vector<TimedTransfer> transfers)
{
    std::stable_sort(transfers.begin(), transfers.end(),
                     [](const TimedTransfer& a, const TimedTransfer& b) { return a.step < b.step; });
    Possession has(problem);
    Possession wanted(problem);
    const Messages messages = problem.collective.messages();
    for (MessageId id = 0; id < messages.size(); ++id) {
        has.at(id, messages[id].origin) = true;
        for (const ProcessorId receiver : messages[id].receivers)
            wanted.at(id, receiver) = true;
    }
    std::vector<TimedTransfer> first;
    for (TimedTransfer& transfer : transfers)
        if (!has.at(transfer.message, transfer.destination)) {
            has.at(transfer.message, transfer.destination) = true;
            first.push_back(std::move(transfer));
        }
    std::vector<TimedTransfer> needed;
    for (auto transfer = first.rbegin(); transfer != first.rend(); ++transfer)
        if (wanted.at(transfer->message, transfer->destination)) {
            wanted.at(transfer->message, transfer->source) = true;
            needed.push_back(std::move(*transfer));
        }
    std::reverse(needed.begin(), needed.end());
    return needed;
}

} // namespace

std::uint64_t estimated_literals(const Problem& problem, unsigned steps)
{
    check_steps(steps);
    return (forbids_relays(problem) ? plan_direct : plan_relayed)(problem, steps).literals;
}

Encoding encode(const Problem& problem, unsigned steps)
{
    check_steps(steps);
    const bool is_direct = forbids_relays(problem);
    EncodingPlan plan = (is_direct ? plan_direct : plan_relayed)(problem, steps);
    if (plan.literals == too_large)
        throw std::invalid_argument(
            fmt::format("{}: too large to be searched exhaustively for {} steps", describe(problem), steps));
    Encoding encoding = (is_direct ? encode_direct : encode_relayed)(problem, steps, std::move(plan));
    encoding.transfers = [&problem, read = std::move(encoding.transfers)](const Model& model) {
        return without_idle_transfers(problem, read(model));
    };
    return encoding;
}

} // namespace nocturne
