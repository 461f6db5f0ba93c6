#include "sim/contracts/conforming_messages.hpp"

#include <algorithm>

namespace nocturne {

ConformingMessages::ConformingMessages(const GuaranteedFlow& flow, const Contract& contract,
                                       const FlowSlots& slots, const SlotTiming& timing,
                                       std::uint64_t period_cycles, std::uint64_t seed)
    : interval_(flow.message_cycles), burst_(flow.burst_messages), worst_messages_(contract.message + 1),
      // A message that comes then can leave from the cycle behind the start on.
      worst_phase_((slots.starts[contract.missed_start] + 1 + period_cycles -
                    timing.interface_cycles % period_cycles) %
                   period_cycles),
      period_(period_cycles), starts_(static_cast<std::uint32_t>(slots.starts.size())), random_(seed),
      last_(period_cycles)
{
}

std::uint64_t ConformingMessages::next()
{
    if (left_ == 0)
        begin_episode();
    --left_;
    std::uint64_t wish = last_;
    if (!is_worst_ && random_.uniform() < 0.5)
        wish += random_() % (2 * interval_ + 1);
    last_ = std::max(wish, earliest());
    theoretical_ = std::max(last_, theoretical_) + interval_;
    return last_;
}

void ConformingMessages::begin_episode()
{
    is_worst_ = !is_worst_;
    if (!is_worst_) {
        left_ = 1 + random_() % (2 * (burst_ + starts_));
        return;
    }
    left_ = worst_messages_ + random_.below(starts_ + 1);
    last_ = std::max(last_ + 1, theoretical_); // as many as it may at once
    last_ += (worst_phase_ + period_ - last_ % period_) % period_;
}

std::uint64_t ConformingMessages::earliest() const
{
    const std::uint64_t early = (burst_ - 1) * interval_;
    return theoretical_ - std::min(theoretical_, early);
}

} // namespace nocturne
