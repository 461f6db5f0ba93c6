// What transactions that do not end wait for.
#include "models/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace nocturne {

void Fabric::warn_of_stall()
{
    if (has_warned_ || transfers_.in_flight() == 0 || sc_core::sc_pending_activity())
        return;
    has_warned_ = true;
    SC_REPORT_WARNING("nocturne/fabric",
                      fmt::format("{}: no event is pending, but transactions in flight wait forever: {}",
                                  name(), describe_waits())
                          .c_str());
}

std::string Fabric::describe_waits() const
{
    std::map<std::string, std::size_t> waits;
    for (FabricTransferId id = 0; id < transfers_.size(); ++id)
        if (transfers_[id].is_in_use)
            ++waits[what_is_awaited(id)];
    std::string text;
    for (const auto& [what, count] : waits)
        text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", count, what);
    return text;
}

std::string Fabric::what_is_awaited(FabricTransferId id) const
{
    const FabricTransfer& transfer = transfers_[id];
    const FabricTransfer::State& state = transfer.state;
    const Initiator& initiator = *initiators_[transfer.initiator];
    const std::string from = fmt::format("initiator '{}'", ports_.initiators[transfer.initiator].name);
    const std::string to = fmt::format("target '{}'", ports_.targets[transfer.target].name);
    if (std::ranges::count(initiator.waiting, id) > 0)
        return fmt::format("one of the {} requests in flight of {} to end", config_.requests_in_flight, from);
    if (state.is_under_way || transfer.pending > 0)
        return "packets in the network";
    if (state.is_blocking)
        return fmt::format("b_transport of {} to return", to);
    if (state.is_response_open)
        return fmt::format("END_RESP of {}", from);
    if (state.has_responded)
        return fmt::format("END_RESP of another response of {}", from);
    const std::string_view completed =
        config_.completes_responses_early ? ", whose last response was ended by TLM_COMPLETED" : "";
    if (state.is_request_open)
        return fmt::format("END_REQ or BEGIN_RESP of {}{}", to, completed);
    if (state.has_place)
        return fmt::format("the end of another request phase of {}", to);
    return fmt::format("BEGIN_RESP of {}{}", to, completed);
}

} // namespace nocturne
