// The rules of valid schedules (validator.hpp), checked step by step and message by message.
#pragma once

#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/contribution_checks.hpp"
#include "schedules/schedule/scratch.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What one thread judges: steps, each by itself, and messages, each by itself. Keeps the violations.
class RuleChecks {
public:
    RuleChecks(const Schedule& schedule, const Topology& topology)
        : schedule_(schedule), topology_(topology), rules_(topology, schedule.switching, schedule.slack),
          contributions_(
              schedule, true, [this](ProcessorId id) { return name(id); },
              [this](const ContributionChecks::Finding& finding) { add(finding); })
    {
    }

    /// Adds the step's transfers of known messages between known processors, in order.
    void check_step(std::size_t step, std::vector<Place>& meaningful);
    /// Who holds the message when. `places`: its transfers, in order.
    void check_message(MessageId id, std::span<const Place> places);
    /// At most most_undelivered_listed of those are undelivered.
    std::vector<Violation> violations() && { return std::move(violations_); }
    /// What is undelivered besides.
    std::uint64_t unlisted() const
    {
        return undelivered_ - std::min<std::uint64_t>(undelivered_, most_undelivered_listed);
    }

private:
    bool is_sum(MessageId id) const { return schedule_.collective.chunks[id].contributors.size() > 1; }
    void check_sum(MessageId id, std::span<const Place> places);
    void add(const ContributionChecks::Finding& finding);
    void report_undelivered(ProcessorId receiver, std::string text);
    bool is_meaningful(Place place);
    void check_path(Place place);
    bool has_known_channels(Place place, const Path& path);
    void check_length(Place place, const Path& path);
    void check_relay(Place place);
    void check_repetition(Place place, const Path& path);
    void check_conflicts(Place place, const Path& path);
    void check_ports(Place place);

    const Transfer& at(Place place) const { return schedule_.steps[place.step][place.transfer]; }
    const std::string& name(ProcessorId id) const { return topology_.processor(id).name; }
    /// "0" for a message of a broadcast, "0>4" for one of a scatter.
    std::string message_name(MessageId id) const;
    void report(Rule rule, Place place, std::string_view what,
                std::optional<ChannelId> channel = std::nullopt,
                std::optional<ProcessorId> processor = std::nullopt);

    const Schedule& schedule_;
    const Topology& topology_;
    TransferRules rules_;
    ContributionChecks contributions_;
    std::vector<Violation> violations_;
    std::uint64_t undelivered_ = 0;
    Scratch<std::size_t> holder_{topology_.channel_count()};  // transfer of this step that holds a channel
    Scratch<char> on_path_{topology_.channel_count()};        // channels of the path at hand
    Scratch<char> visited_{topology_.router_count()};         // routers of the path at hand
    Scratch<unsigned> sent_{topology_.processor_count()};     // messages that a processor sends in this step
    Scratch<unsigned> received_{topology_.processor_count()}; // messages that it receives in this step
    Scratch<std::size_t> holds_from_{
        topology_.processor_count()}; // first step in which it can send the message at hand
};

} // namespace nocturne
