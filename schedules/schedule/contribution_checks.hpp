// What is at places while transfers execute, followed in the abstract, and the rules (validator.hpp) of that.
#pragma once

#include "schedules/collective/contribution_bits.hpp"
#include "schedules/schedule/validator.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nocturne {

/// A transfer of a schedule.
struct Place {
    std::size_t step;
    std::size_t transfer;
};

/// What is at a place: contributions to a chunk. Copies share their bits.
struct PlaceValue {
    ChunkId chunk = 0;
    std::shared_ptr<const ContributionBits> contributions; ///< none: something wrong, already reported
    bool has_come = false;                                 ///< since all began

    bool is_known() const { return contributions != nullptr; }
};

/// Two sets of contributions are added only if they are disjoint. Of a schedule of messages what brings
/// nothing is reported too, and what never comes is undelivered also where something was.
class ContributionChecks {
public:
    /// A broken rule: of a transfer, or of a result.
    struct Finding {
        Rule rule;
        std::optional<Place> place;
        ProcessorId processor;
        std::string text;
        std::optional<ChunkId> chunk = std::nullopt;
        std::optional<ProcessorId> contributor = std::nullopt;
    };
    using Report = std::function<void(const Finding&)>;
    using Names = std::function<std::string(std::uint32_t node)>;

    /// The schedule must outlive it; its collective's and placements' indices must exist.
    ContributionChecks(const Schedule& schedule, bool is_of_messages, Names names, Report report);

    /// Each contribution is where its contributor has it.
    void begin();
    /// The same of these chunks, and all other places are empty.
    void begin(std::span<const ChunkId> chunks);
    /// All is read before anything is written but by local transfers, which follow in order.
    void run_step(std::span<const Place> transfers);
    PlaceValue read(Place place);
    void write(Place place, PlaceValue came);
    void judge_result(const Demand& demand, PlaceId place);

private:
    void load(ChunkId chunk);
    void judge_conflicts(std::span<const Place> writers);
    PlaceValue sum_of(const PlaceValue& there, const PlaceValue& came, Place place);
    const ContributionBits& owed_bits(const Chunk& chunk, const std::vector<std::uint32_t>& contributors);
    const PlaceValue* find(std::uint32_t node, PlaceId place) const;

    const Transfer& at(Place place) const { return schedule_.steps[place.step][place.transfer]; }
    std::string describe(PlaceId place) const;

    const Schedule& schedule_;
    const std::vector<Chunk>& chunks_;
    bool is_of_messages_;
    Names name_;
    Report report_;
    std::unordered_map<std::uint64_t, PlaceId> input_of_;  ///< by processor and chunk, where not its own
    std::unordered_map<std::uint64_t, PlaceValue> values_; ///< by node and place
    std::shared_ptr<const ContributionBits> alone_;        ///< the only contribution to a chunk
    using OwedLists = std::pair<const std::vector<std::uint32_t>*, const std::vector<std::uint32_t>*>;
    OwedLists owed_lists_ = {}; ///< of the chunk and of the demand before, which share them with most
    ContributionBits owed_ = {};
};

/// "chunk 7", "scratch 0".
std::string describe_place(const Collective& collective, PlaceId place);

} // namespace nocturne
