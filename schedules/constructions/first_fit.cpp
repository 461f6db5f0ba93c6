#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "models/topology/indices_by.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/problem/free_steps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::size_t most_messages = std::size_t{1} << 21;
constexpr unsigned paths_tried = 4;

class FirstFit {
public:
    explicit FirstFit(const Problem& problem)
        : problem_(problem), topology_(problem.topology), free_(topology_, problem.ports),
          distances_(topology_.router_count()), random_(1)
    {
    }

    std::vector<Step> run()
    {
        for (const MessageId id : longest_first())
            place(id);
        return std::move(steps_);
    }

private:
    const std::vector<std::uint32_t>& distances(RouterId destination)
    {
        if (distances_[destination].empty())
            distances_[destination] = distances_to(topology_, destination);
        return distances_[destination];
    }

    Endpoints ends(MessageId id) const
    {
        const Message& message = problem_.collective.messages()[id];
        return endpoints(topology_, message.origin, message.receivers.front());
    }

    std::vector<MessageId> longest_first()
    {
        std::vector<std::uint32_t> hops;
        for (MessageId id = 0; id < problem_.collective.messages().size(); ++id)
            hops.push_back(distances(ends(id).destination)[ends(id).source]);
        return indices_by<MessageId>(hops.size(), [&](MessageId id) { return hops[id]; }, std::greater());
    }

    /// A minimal path: by the first port that leads closer everywhere, by the last one, or by any.
    Path walk(Endpoints ends, unsigned attempt)
    {
        const std::vector<std::uint32_t>& left = distances(ends.destination);
        Path path;
        for (RouterId at = ends.source; at != ends.destination; at = topology_.channel(path.back()).target) {
            closer_.clear();
            for (const ChannelId id : topology_.channels_from(at))
                if (left[topology_.channel(id).target] + 1 == left[at])
                    closer_.push_back(id);
            const auto count = static_cast<std::uint32_t>(closer_.size());
            path.push_back(attempt == 0   ? closer_.front()
                           : attempt == 1 ? closer_.back()
                                          : closer_[random_.below(count)]);
        }
        return path;
    }

    /// One transfer in the first step from `earliest` on that has room for it; the step behind it.
    std::size_t place(MessageId id, ProcessorId source, ProcessorId destination, std::size_t earliest)
    {
        Path best;
        std::size_t step = ~std::size_t{0};
        for (unsigned attempt = 0; attempt < paths_tried; ++attempt) {
            Path path = walk(endpoints(topology_, source, destination), attempt);
            if (const std::size_t first = free_.first({source, destination, path}, earliest); first < step) {
                step = first;
                best = std::move(path);
            }
        }
        free_.take({source, destination, best}, step);
        if (step >= steps_.size())
            steps_.resize(step + 1);
        steps_[step].push_back({id, source, destination, std::move(best)});
        return step + 1;
    }

    /// Straight if there is a path, otherwise over as few relays as can be.
    void place(MessageId id)
    {
        const Message& message = problem_.collective.messages()[id];
        std::size_t earliest = 0;
        ProcessorId at = message.origin;
        for (const ProcessorId next : relays_to(message)) {
            earliest = place(id, at, next, earliest);
            at = next;
        }
    }

    bool has_path(ProcessorId source, ProcessorId destination)
    {
        const Endpoints its = endpoints(topology_, source, destination);
        return distances(its.destination)[its.source] != unreachable;
    }

    /// The processors that the message of the problem comes to, one after the other, its receiver last. Which
    /// of equally good relays is drawn, so that they share the work.
    std::vector<ProcessorId> relays_to(const Message& message)
    {
        const ProcessorId receiver = message.receivers.front();
        if (has_path(message.origin, receiver))
            return {receiver};
        std::vector<ProcessorId> unseen(topology_.processor_count());
        std::iota(unseen.begin(), unseen.end(), 0);
        std::shuffle(unseen.begin(), unseen.end(), random_);
        std::vector<ProcessorId> next(topology_.processor_count()); // on the way to the receiver
        std::vector<ProcessorId> reached{receiver};                 // backwards, breadth first
        std::erase(unseen, receiver);
        for (std::size_t i = 0; i < reached.size() && reached.back() != message.origin; ++i)
            std::erase_if(unseen, [&, to = reached[i]](ProcessorId from) {
                if (!has_path(from, to))
                    return false;
                next[from] = to;
                reached.push_back(from);
                return true;
            });
        std::vector<ProcessorId> way;
        for (ProcessorId at = message.origin; at != receiver; at = next[at])
            way.push_back(next[at]);
        return way;
    }

    const Problem& problem_;
    const Topology& topology_;
    FreeSteps free_;
    std::vector<std::vector<std::uint32_t>> distances_; ///< by destination, as far as needed
    SplitMix64 random_;
    std::vector<ChannelId> closer_; ///< walk()'s
    std::vector<Step> steps_;
};

} // namespace

std::optional<Schedule> first_fit(const Problem& problem)
{
    const Messages messages = problem.collective.messages();
    if (!is_personalized(problem.collective) || problem.switching != Switching::wormhole ||
        messages.size() > most_messages)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "construct, first fit");
    schedule.steps = FirstFit(problem).run();
    return schedule;
}

} // namespace nocturne
