// The rules of valid schedules (validator.hpp) for messages to which something is added.
#pragma once

#include "schedules/collective/contribution_bits.hpp"
#include "schedules/schedule/scratch.hpp"
#include "schedules/schedule/validator.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A transfer of a schedule.
struct Place {
    std::size_t step;
    std::size_t transfer;
};

/// Follows which contributions each processor has, message by message.
class SumChecks {
public:
    /// Told of each broken rule: at a transfer, or, where none is named, at the end.
    using Report = std::function<void(Rule rule, std::optional<Place> place, std::string_view what,
                                      ProcessorId processor)>;

    /// Schedule and topology must outlive it.
    SumChecks(const Schedule& schedule, const Topology& topology);

    /// `places`: the transfers of the message, in order.
    void check(MessageId id, std::span<const Place> places, const Report& report);

private:
    void begin(MessageId id);
    void carry_out(std::span<const Place> in_step);
    void judge_conflicts(std::span<const Place> in_step);
    void copy(Place place, ContributionBits came);
    void add(Place place, const ContributionBits& came);
    void judge_results();

    const Transfer& at(Place place) const { return schedule_.steps[place.step][place.transfer]; }
    const std::string& name(ProcessorId id) const { return topology_.processor(id).name; }
    const std::string& contributor(std::size_t index) const { return name(chunk().contributors[index]); }
    const Chunk& chunk() const { return schedule_.collective.chunks[id_]; }
    /// Null if it has nothing.
    ContributionBits* find(ProcessorId id);
    void set(ProcessorId id, ContributionBits sum);

    const Schedule& schedule_;
    const Topology& topology_;
    MessageId id_ = 0;
    const Report* report_ = nullptr;
    std::vector<ContributionBits> sums_; ///< of the processors that have any; empty bits: something wrong,
                                         ///< already reported
    Scratch<std::size_t> sum_of_;        ///< by processor, index in sums_
    Scratch<std::size_t> writer_;        ///< by processor, index in the step of the last that writes there
    Scratch<char> is_written_;           ///< by processor: something has come
};

} // namespace nocturne
