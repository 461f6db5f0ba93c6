#include "tests/schedules/bounds/shortest_schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace nocturne::test {
namespace {

class AllPaths {
public:
    AllPaths(const Problem& problem, ProcessorId source, ProcessorId destination)
        : topology_(problem.topology), destination_(topology_.processor(destination).ejection)
    {
        extend(topology_.processor(source).injection, {topology_.processor(source).injection});
        std::size_t shortest = ~std::size_t{0};
        for (const Path& path : found_)
            shortest = std::min(shortest, path.size());
        std::erase_if(found_, [&](const Path& path) {
            return (problem.slack && path.size() > shortest + *problem.slack) ||
                   (problem.switching == Switching::store_and_forward && path.size() > 1);
        });
    }

    const std::vector<Path>& paths() const { return found_; }

private:
    void extend(RouterId at, const std::set<RouterId>& visited)
    {
        if (at == destination_) {
            found_.push_back(path_);
            return;
        }
        for (ChannelId id = 0; id < topology_.channel_count(); ++id) {
            const RouterId next = topology_.channel(id).target;
            if (topology_.channel(id).source != at || visited.contains(next))
                continue;
            std::set<RouterId> longer = visited;
            longer.insert(next);
            path_.push_back(id);
            extend(next, longer);
            path_.pop_back();
        }
    }

    const Topology& topology_;
    RouterId destination_;
    Path path_;
    std::vector<Path> found_;
};

using State = std::uint64_t; // a bit for each message and processor: has it

class Search {
public:
    explicit Search(const Problem& problem, std::size_t most_tries)
        : problem_(problem), tries_left_(most_tries), processors_(problem.topology.processor_count())
    {
        for (ProcessorId from = 0; from < processors_; ++from)
            for (ProcessorId to = 0; to < processors_; ++to)
                if (from != to)
                    paths_[{from, to}] = all_paths(problem, from, to);
    }

    std::optional<unsigned> run(unsigned most_steps)
    {
        const auto& messages = problem_.collective.messages();
        State start = 0;
        for (std::size_t message = 0; message < messages.size(); ++message) {
            start |= bit(message, messages[message].origin);
            for (const ProcessorId receiver : messages[message].receivers)
                goal_ |= bit(message, receiver);
        }
        std::set<State> seen{start};
        std::vector<State> now{start};
        for (unsigned steps = 0; !now.empty() && steps < most_steps; ++steps) {
            reached_.clear();
            for (const State state : now) {
                begin_ = state;
                take(state, 0);
                if (is_done_)
                    return steps + 1;
                if (tries_left_ == 0)
                    return std::nullopt;
            }
            now.clear();
            for (const State state : reached_)
                if (seen.insert(state).second)
                    now.push_back(state);
        }
        return std::nullopt;
    }

private:
    State bit(std::size_t message, ProcessorId processor) const
    {
        return State{1} << (message * processors_ + processor);
    }

    /// Decides delivery after delivery, (message, receiver) `next` and up, which of them this step makes.
    void take(State state, std::size_t next)
    {
        if (is_done_ || tries_left_ == 0)
            return;
        --tries_left_;
        const std::size_t deliveries = problem_.collective.messages().size() * processors_;
        while (next < deliveries && !is_wanted(next))
            ++next;
        if (next == deliveries) {
            reached_.insert(state);
            is_done_ = (state & goal_) == goal_;
            return;
        }
        const std::size_t message = next / processors_;
        const auto to = static_cast<ProcessorId>(next % processors_);
        for (ProcessorId from = 0; from < processors_; ++from)
            if ((begin_ & bit(message, from)) != 0 && may_send(message, from))
                for (const Path& path : paths_[{from, to}])
                    if (occupy(from, to, path)) {
                        take(state | bit(message, to), next + 1);
                        release(from, to, path);
                    }
        take(state, next + 1);
    }

    bool is_wanted(std::size_t delivery) const
    {
        const State wanted = State{1} << delivery;
        return (begin_ & wanted) == 0 && (!goes_straight(delivery / processors_) || (goal_ & wanted) != 0);
    }

    bool goes_straight(std::size_t message) const
    {
        return problem_.slack && problem_.collective.messages()[message].receivers.size() == 1;
    }

    bool may_send(std::size_t message, ProcessorId from) const
    {
        return !goes_straight(message) || from == problem_.collective.messages()[message].origin;
    }

    bool occupy(ProcessorId from, ProcessorId to, const Path& path)
    {
        const bool is_free = std::none_of(path.begin(), path.end(),
                                          [&](ChannelId channel) { return taken_.count(channel) > 0; }) &&
                             sent_[from] < send_ports(problem_.topology, from, problem_.ports) &&
                             received_[to] < receive_ports(problem_.topology, to, problem_.ports);
        if (is_free) {
            taken_.insert(path.begin(), path.end());
            ++sent_[from];
            ++received_[to];
        }
        return is_free;
    }

    void release(ProcessorId from, ProcessorId to, const Path& path)
    {
        for (const ChannelId channel : path)
            taken_.erase(channel);
        --sent_[from];
        --received_[to];
    }

    const Problem& problem_;
    std::size_t tries_left_;
    std::size_t processors_;
    std::map<std::pair<ProcessorId, ProcessorId>, std::vector<Path>> paths_;
    State goal_ = 0;
    bool is_done_ = false; // some step ends with all deliveries made
    State begin_ = 0;
    std::set<State> reached_;
    std::set<ChannelId> taken_;
    std::map<ProcessorId, unsigned> sent_;
    std::map<ProcessorId, unsigned> received_;
};

} // namespace

std::vector<Path> all_paths(const Problem& problem, ProcessorId source, ProcessorId destination)
{
    return AllPaths(problem, source, destination).paths();
}

std::optional<unsigned> shortest_schedule(const Problem& problem, std::size_t most_tries, unsigned most_steps)
{
    return Search(problem, most_tries).run(most_steps);
}

std::optional<unsigned> fewest_steps(const Problem& problem, unsigned most)
{
    return shortest_schedule(problem, ~std::size_t{0}, most);
}

bool can_be_delivered(const Problem& problem)
{
    const auto processors = static_cast<ProcessorId>(problem.topology.processor_count());
    const auto can_send = [&](ProcessorId from, ProcessorId to) {
        return from != to && !all_paths(problem, from, to).empty();
    };
    for (const Message& message : problem.collective.messages()) {
        std::set<ProcessorId> has{message.origin};
        const bool goes_straight = problem.slack && message.receivers.size() == 1;
        for (std::size_t before = 0; before != has.size();) {
            before = has.size();
            for (ProcessorId to = 0; to < processors; ++to)
                if (std::ranges::any_of(has, [&](ProcessorId from) {
                        return can_send(from, to) && (!goes_straight || from == message.origin);
                    }))
                    has.insert(to);
        }
        if (!std::ranges::all_of(message.receivers, [&](ProcessorId id) { return has.contains(id); }))
            return false;
    }
    return true;
}

} // namespace nocturne::test
