#include "schedules/constructions/first_fit.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/schedule/empty_schedule.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::size_t most_messages = std::size_t{1} << 21;
constexpr unsigned paths_tried = 4;

/// The steps in which a channel or port has no room left, a bit each.
class FullSteps {
public:
    std::uint64_t word(std::size_t index) const { return index < words_.size() ? words_[index] : 0; }
    /// The first word with a step that has room.
    std::size_t first_word() const { return first_; }

    void set(std::size_t step)
    {
        if (step / 64 >= words_.size())
            words_.resize(step / 64 + 1);
        words_[step / 64] |= std::uint64_t{1} << step % 64;
        while (first_ < words_.size() && words_[first_] == ~std::uint64_t{0})
            ++first_;
    }

private:
    std::vector<std::uint64_t> words_;
    std::size_t first_ = 0;
};

/// A send or receive port of one processor: full after so many messages of a step.
struct Port {
    unsigned capacity;
    std::vector<unsigned> used = {}; ///< by step
    FullSteps full = {};

    void take(std::size_t step)
    {
        if (step >= used.size())
            used.resize(step + 1);
        if (++used[step] == capacity)
            full.set(step);
    }
};

class FirstFit {
public:
    explicit FirstFit(const Problem& problem)
        : problem_(problem), topology_(problem.topology), channels_(topology_.channel_count()),
          distances_(topology_.router_count()), random_(1)
    {
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id) {
            senders_.push_back({.capacity = send_ports(topology_, id, problem.ports)});
            receivers_.push_back({.capacity = receive_ports(topology_, id, problem.ports)});
        }
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
        std::vector<MessageId> order(hops.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](MessageId a, MessageId b) { return hops[a] > hops[b]; });
        return order;
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

    /// The first step from `earliest` on in which the path and its ports have room.
    std::size_t first_step(ProcessorId source, ProcessorId destination, const Path& path,
                           std::size_t earliest)
    {
        taken_.assign({&senders_[source].full, &receivers_[destination].full});
        for (const ChannelId id : path)
            taken_.push_back(&channels_[id]);
        std::size_t word = earliest / 64;
        std::uint64_t before = (std::uint64_t{1} << earliest % 64) - 1; // not these
        for (const FullSteps* const each : taken_)
            if (each->first_word() > word) {
                word = each->first_word();
                before = 0;
            }
        for (;; ++word, before = 0) {
            std::uint64_t full = before;
            for (const FullSteps* const each : taken_)
                full |= each->word(word);
            if (full != ~std::uint64_t{0})
                return word * 64 + static_cast<std::size_t>(std::countr_one(full));
        }
    }

    /// One transfer in the first step from `earliest` on that has room for it; the step behind it.
    std::size_t place(MessageId id, ProcessorId source, ProcessorId destination, std::size_t earliest)
    {
        Path best;
        std::size_t step = ~std::size_t{0};
        for (unsigned attempt = 0; attempt < paths_tried; ++attempt) {
            Path path = walk(endpoints(topology_, source, destination), attempt);
            if (const std::size_t first = first_step(source, destination, path, earliest); first < step) {
                step = first;
                best = std::move(path);
            }
        }
        for (const ChannelId channel : best)
            channels_[channel].set(step);
        senders_[source].take(step);
        receivers_[destination].take(step);
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
    std::vector<FullSteps> channels_;
    std::vector<Port> senders_;
    std::vector<Port> receivers_;
    std::vector<std::vector<std::uint32_t>> distances_; ///< by destination, as far as needed
    SplitMix64 random_;
    std::vector<ChannelId> closer_;       ///< walk()'s
    std::vector<const FullSteps*> taken_; ///< first_step()'s
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
