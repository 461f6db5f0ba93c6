// What stands still in a router, and behind what.
#include "models/hardware/router.hpp"
#include "models/hardware/router_wanted.hpp"

namespace nocturne {

std::vector<WaitingInput> Router::waits() const
{
    const Cycle now = domain_.settled();
    std::vector<WaitingInput> result;
    for (const InputVc& vc : inputs_) {
        if (!vc.buffer.slot().has_arrived(now))
            continue;
        const Flit flit = front(vc);
        const auto waits_for = [&](const OutputGroup& wanted) {
            result.push_back({vc.port, vc.vc, flit.packet(), flit.sequence(),
                              packets_[flit.packet()].injected, wanted, vc.phase == Phase::active});
        };
        if (vc.phase == Phase::idle || vc.phase == Phase::waits_for_vc)
            for_each_wanted(vc, [&](std::uint32_t group) { waits_for(groups_[group].range); });
        else if (vc.phase == Phase::active && !will_have_credit(vc))
            waits_for({index_of(*vc.output_vc), 1});
    }
    return result;
}

std::vector<StarvingInput> Router::starving() const
{
    std::vector<StarvingInput> result;
    for (const InputVc& vc : inputs_) {
        if ((vc.phase != Phase::active && vc.phase != Phase::won_vc) || vc.buffer.slot().is_full())
            continue;
        BufferCursor sent = vc.buffer; // whose flit is still written there
        sent.go_back();
        result.push_back({{vc.port, vc.vc}, sent.slot().flit()});
    }
    return result;
}

std::optional<InputChannel> Router::owner(std::uint32_t output_vc) const
{
    const std::uint32_t input_vc = outputs_[output_vc].owner;
    return input_vc == BitSet::none ? std::nullopt
                                    : std::optional(InputChannel{input_vc / vcs_, input_vc % vcs_});
}

} // namespace nocturne
