#include "models/fabric/latency_estimate.hpp"

#include "models/hardware/zero_load.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {

namespace {

/// Beyond this load a queue grows without end, and the estimate says nothing.
constexpr double most_load = 0.95;

} // namespace

LatencyEstimate::LatencyEstimate(const FabricPlan& plan, const HardwareConfig& config)
    : plan_(plan), config_(config), flows_(plan.requests.size()), concurrency_(plan.initiators),
      loads_(2 * plan.requests.size()),
      occupied_(plan.network.channel_count() + 2 * plan.network.processor_count(), 1)
{
    for (ChannelId id = 0; id < plan.network.channel_count(); ++id)
        occupied_[id] = config.cycles_per_flit(plan.network.channel(id));
    links_.resize(occupied_.size());
    own_links_.resize(occupied_.size());
    for (FlowId flow = 0; flow < plan.requests.size(); ++flow)
        for (const Leg leg : {Leg::request, Leg::response}) {
            Estimate& estimate = of(leg, flow);
            const Route& route = plan.route(leg, flow);
            estimate.head = static_cast<std::uint32_t>(zero_load_cycles(plan.network, config, route, 1));
            estimate.is_narrow =
                std::ranges::any_of(route, [&](const Hop& hop) { return occupied_[hop.channel] > 1; });
            first_passage_.push_back(static_cast<std::uint32_t>(passages_.size()));
            add_passages(leg, flow);
        }
    first_passage_.push_back(static_cast<std::uint32_t>(passages_.size()));

    // Turns get their numbers: pairs of links that follow each other in some route.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        std::uint32_t before = static_cast<std::uint32_t>(occupied_.size()); // the source queue
        for (std::uint32_t p = first_passage_[i]; p < first_passage_[i + 1]; ++p) {
            const auto number = static_cast<std::uint32_t>(numbers.size());
            passages_[p].turn = numbers.try_emplace({before, passages_[p].link}, number).first->second;
            before = passages_[p].link;
        }
    }
    turns_.resize(numbers.size());
    own_turns_.resize(numbers.size());
}

void LatencyEstimate::add_passages(Leg leg, FlowId flow)
{
    const auto channels = static_cast<std::uint32_t>(plan_.network.channel_count());
    const auto processors = static_cast<std::uint32_t>(plan_.network.processor_count());
    passages_.push_back({channels + plan_.source(leg, flow), 0});
    for (const Hop& hop : plan_.route(leg, flow))
        passages_.push_back({hop.channel, 0});
    passages_.push_back({channels + processors + plan_.destination(leg, flow), 0});
}

std::uint64_t LatencyEstimate::narrow_zero_load(Leg leg, FlowId flow, std::uint32_t flits) const
{
    return zero_load_cycles(plan_.network, config_, plan_.route(leg, flow), flits);
}

void LatencyEstimate::measure(double cycles)
{
    const double kept = is_measured_ ? 0.5 : 0; // of what was known before
    is_measured_ = true;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        Estimate& estimate = of(i);
        Load& load = loads_[i];
        load.flits = kept * load.flits + (1 - kept) * static_cast<double>(estimate.flits) / cycles;
        load.squares = kept * load.squares + (1 - kept) * static_cast<double>(estimate.squares) / cycles;
        estimate.flits = estimate.squares = 0;
    }
    for (Concurrency& concurrency : concurrency_) {
        if (concurrency.transactions > 0)
            concurrency.part =
                static_cast<double>(concurrency.overlapping) / static_cast<double>(concurrency.transactions);
        concurrency.transactions = concurrency.overlapping = 0;
    }
}

void LatencyEstimate::refresh(double cycles)
{
    measure(cycles);
    std::ranges::fill(links_, Load{});
    std::ranges::fill(turns_, Load{});
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        if (loads_[i].flits == 0)
            continue;
        for (std::uint32_t p = first_passage_[i]; p < first_passage_[i + 1]; ++p) {
            const double occupied = occupied_[passages_[p].link];
            for (Load* load : {&links_[passages_[p].link], &turns_[passages_[p].turn]}) {
                load->flits += loads_[i].flits * occupied;
                load->squares += loads_[i].squares * occupied * occupied;
            }
        }
    }
    for (std::uint32_t initiator = 0; initiator < plan_.initiators; ++initiator)
        estimate_waits_of(initiator);
}

void LatencyEstimate::estimate_waits_of(std::uint32_t initiator)
{
    const std::size_t begin = std::size_t{2} * plan_.flow(initiator, 0);
    const std::size_t end = begin + std::size_t{2} * plan_.targets;
    const auto for_each_passage = [&](auto&& visit) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::uint32_t p = first_passage_[i]; p < first_passage_[i + 1]; ++p)
                visit(i, passages_[p]);
    };
    for_each_passage([&](std::size_t i, const Passage& passage) {
        const double occupied = occupied_[passage.link];
        own_links_[passage.link].squares += loads_[i].squares * occupied * occupied;
        own_turns_[passage.turn].squares += loads_[i].squares * occupied * occupied;
    });
    for (std::size_t i = begin; i < end; ++i)
        of(i).wait = 0;
    const auto channels = static_cast<std::uint32_t>(plan_.network.channel_count());
    const auto processors = static_cast<std::uint32_t>(plan_.network.processor_count());
    for_each_passage([&](std::size_t i, const Passage& passage) {
        const bool is_injection = passage.link >= channels && passage.link < channels + processors;
        // All that waits in a source queue waits for each other, wherever it goes.
        const double in_line = is_injection ? 0 : turns_[passage.turn].squares;
        const double own_in_line = is_injection ? 0 : own_turns_[passage.turn].squares;
        const double own = own_links_[passage.link].squares - own_in_line;
        const double others =
            links_[passage.link].squares - in_line - (1 - concurrency_[initiator].part) * own;
        const double load = std::min(links_[passage.link].flits, most_load);
        of(i).wait += static_cast<float>(std::max(others, 0.0) / (2 * (1 - load) * (1 - load)));
    });
    for_each_passage([&](std::size_t, const Passage& passage) {
        own_links_[passage.link] = {};
        own_turns_[passage.turn] = {};
    });
}

} // namespace nocturne
