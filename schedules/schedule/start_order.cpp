#include "schedules/schedule/start_order.hpp"

#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

namespace nocturne {
namespace {

using LowestFirst = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

class LinkRun {
public:
    LinkRun(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
        : transfers_(schedule), released_at_(transfer_releases(schedule)), waits_for_(transfers_.size(), 0),
          followers_(schedule), waiting_(network.link_count())
    {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
            times_.push_back(transfer_time(transfers_[id], weights[id], network, cost));
            rates_.push_back(rate_of(transfers_[id].links(), network));
        }
        for (LinkId link = 0; link < network.link_count(); ++link)
            room_.push_back(network.link(link).bytes_per_cycle);
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            for (const std::uint32_t after : followers_.of(id))
                ++waits_for_[after];
    }

    /// False if it is over before all have ended.
    bool run(const std::function<bool()>& is_over)
    {
        constexpr std::uint64_t tries_between_looks = 1 << 16;
        std::uint64_t next_look = tries_between_looks;
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            if (waits_for_[id] == 0)
                try_released(id);
        for (start_what_can(); !events_.empty(); start_what_can()) {
            now_ = events_.top().time;
            for (; !events_.empty() && events_.top().time <= latest_now(); events_.pop())
                take(events_.top());
            if (tries_ >= next_look) {
                if (is_over())
                    return false;
                next_look = tries_ + tries_between_looks;
            }
        }
        return true;
    }

    /// The transfers as they start, and as they give back their links.
    const std::vector<std::uint32_t>& starts() const { return starts_; }
    const std::vector<std::uint32_t>& releases() const { return releases_; }

private:
    enum class EventKind { gives_back_links, ends, is_released };
    struct Event {
        double time;
        std::uint32_t transfer;
        EventKind kind;

        friend bool operator>(const Event& a, const Event& b) { return a.time > b.time; }
    };

    /// Times that differ from now by rounding are now.
    double latest_now() const { return now_ * (1 + 1e-12) + 1e-12; }

    void take(const Event& event)
    {
        if (event.kind == EventKind::ends) {
            end(event.transfer);
            return;
        }
        if (event.kind == EventKind::is_released) {
            tried_.push(event.transfer);
            return;
        }
        releases_.push_back(event.transfer);
        for (const LinkId link : transfers_[event.transfer].links()) {
            room_[link] += rates_[event.transfer];
            try_next(link);
        }
    }

    void end(std::uint32_t id)
    {
        for (const std::uint32_t after : followers_.of(id))
            if (--waits_for_[after] == 0)
                try_released(after);
    }

    /// At once, or when what it reads is released.
    void try_released(std::uint32_t id)
    {
        if (released_at_.empty() || static_cast<double>(released_at_[id]) <= latest_now())
            tried_.push(id);
        else
            events_.push({static_cast<double>(released_at_[id]), id, EventKind::is_released});
    }

    /// The first that waits for the link, if there is room for it.
    void try_next(LinkId link)
    {
        LowestFirst& waiting = waiting_[link];
        if (waiting.empty() || room_[link] < rates_[waiting.top()])
            return;
        tried_.push(waiting.top());
        waiting.pop();
    }

    void start_what_can()
    {
        while (!tried_.empty()) {
            const std::uint32_t id = tried_.top();
            tried_.pop();
            ++tries_;
            const std::span<const LinkId> path = transfers_[id].links();
            const auto full =
                std::ranges::find_if(path, [&](LinkId link) { return room_[link] < rates_[id]; });
            if (full == path.end())
                start(id);
            else
                waiting_[*full].push(id);
            // On the others, or what it leaves of them, there may be room for the next.
            for (const LinkId link : path)
                try_next(link);
        }
    }

    void start(std::uint32_t id)
    {
        starts_.push_back(id);
        if (transfers_[id].links().empty()) {
            releases_.push_back(id);
            end(id);
            return;
        }
        for (const LinkId link : transfers_[id].links())
            room_[link] -= rates_[id];
        events_.push({now_ + times_[id].holds_links, id, EventKind::gives_back_links});
        events_.push({now_ + times_[id].duration, id, EventKind::ends});
    }

    TransferList transfers_;
    std::vector<TransferTime> times_;
    std::vector<std::uint64_t> released_at_; ///< empty: none waits for that
    std::vector<std::uint64_t> rates_;       ///< by transfer, in bytes a cycle
    std::vector<std::uint64_t> room_;        ///< by link, in bytes a cycle that nobody holds
    std::vector<std::uint32_t> waits_for_;
    Followers followers_;
    std::vector<LowestFirst> waiting_; ///< by the link that had no room
    LowestFirst tried_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t tries_ = 0;
    double now_ = 0;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> releases_;
};

} // namespace

Schedule in_order(const Schedule& schedule, const std::vector<std::uint32_t>& order)
{
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    std::vector<ListedTransfer> before = list_transfers(schedule), listed;
    for (const std::uint32_t id : order) {
        for (std::uint32_t& after : before[id].after)
            after = place[after];
        listed.push_back(std::move(before[id]));
    }
    Schedule result = schedule;
    set_transfers(result, std::move(listed));
    return result;
}

std::optional<Schedule> in_order_of_starts(const Schedule& schedule, const LinkNetwork& network,
                                           const AlphaBeta& cost, const std::function<bool()>& is_over)
{
    LinkRun run(schedule, network, cost);
    return run.run(is_over) ? std::optional(in_order(schedule, run.starts())) : std::nullopt;
}

std::optional<Schedule> in_order_of_releases(const Schedule& schedule, const LinkNetwork& network,
                                             const AlphaBeta& cost, const std::function<bool()>& is_over)
{
    LinkRun run(schedule, network, cost);
    return run.run(is_over) ? std::optional(in_order(schedule, run.releases())) : std::nullopt;
}

Schedule in_order_of_starts(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    return *in_order_of_starts(schedule, network, cost, [] { return false; });
}

Schedule in_order_of_releases(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    return *in_order_of_releases(schedule, network, cost, [] { return false; });
}

} // namespace nocturne
