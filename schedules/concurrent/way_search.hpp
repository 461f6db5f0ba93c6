// Searches for schedules of one of several collectives by itself.
#pragma once

#include "schedules/concurrent/joint_schedule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// What carries a collective.
enum class Carriers {
    members, ///< and switches between them
    relays,  ///< processors on shortest paths between members too
    all,     ///< any
};

/// Schedules of all groups of one collective.
struct Way {
    Carriers carriers = Carriers::members;
    CollectiveSchedules schedules = {};
    std::string engine = {};
    double cycles = 0;              ///< the latest of its groups, each with its share of the links
    std::vector<double> loads = {}; ///< by link: cycles for which it is busy
    bool is_cut = false;            ///< the budget ended the search
};

/// Searches for ways, one search for groups that look alike, all of them cut into the same parts.
class WaySearch {
public:
    /// Blocks are cut into several parts for as long as that takes no more transfers in all. `problem` must
    /// outlive it.
    WaySearch(const ConcurrentProblem& problem, std::size_t one, std::size_t enough_transfers);

    bool can(Carriers carriers) const;

    /// By link: is it among the members of a group?
    const std::vector<bool>& links_among_members() const { return among_; }

    /// `shares`: how much of each link's bandwidth it has, from 0 to 1; empty: all. Groups that look alike
    /// have the mean of theirs.
    std::optional<Way> search(Carriers carriers, const std::vector<double>& shares,
                              const PortfolioOptions& options) const;

private:
    /// Groups that look alike.
    struct Pattern {
        std::vector<GroupNetwork> places;
        std::vector<std::size_t> groups;
    };
    using Patterns = std::vector<Pattern>;

    Patterns patterns_of(std::vector<GroupNetwork> places) const;
    std::optional<PartialSchedule> search_pattern(const Pattern& pattern, const std::vector<double>& shares,
                                                  const PortfolioOptions& options, Way& way,
                                                  std::optional<std::uint32_t>& parts) const;
    void add_loads(Way& way, const PartialSchedule& partial) const;

    const ConcurrentProblem& problem_;
    const ConcurrentCollective& one_;
    std::size_t enough_transfers_;
    Patterns members_; ///< empty: some group is not connected
    Patterns relays_;  ///< likewise
    std::vector<bool> among_;
};

} // namespace nocturne
