#include "schedules/schedule/start_order.hpp"

#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using LowestFirst = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

class LinkRun {
public:
    LinkRun(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
        : network_(network), transfers_(schedule), released_at_(transfer_releases(schedule)),
          waits_for_(transfers_.size(), 0), followers_(transfers_.size(), dependencies_of(schedule)),
          calendar_(network), waiting_(network.link_count())
    {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            times_.push_back(transfer_time(transfers_[id], weights[id], network, cost));
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            for (const std::uint32_t after : followers_.of(id))
                ++waits_for_[after];
    }

    void run()
    {
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            if (waits_for_[id] == 0)
                try_released(id);
        for (start_what_can(); !events_.empty(); start_what_can()) {
            now_ = events_.top().time;
            for (; !events_.empty() && events_.top().time <= latest_now(); events_.pop())
                take(events_.top());
        }
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

    std::vector<std::pair<std::uint32_t, std::uint32_t>> dependencies_of(const Schedule& schedule) const
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            for (const std::uint32_t before : schedule.after.of(id))
                pairs.emplace_back(before, id);
        return pairs;
    }

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
        for (const LinkId link : transfers_[event.transfer].links())
            try_next(link);
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
        if (waiting.empty() || !has_room(link, rate_of(transfers_[waiting.top()].links(), network_)))
            return;
        tried_.push(waiting.top());
        waiting.pop();
    }

    bool has_room(LinkId link, std::uint64_t rate) const
    {
        return calendar_.earliest_on(link, rate, latest_now()) <= latest_now();
    }

    void start_what_can()
    {
        while (!tried_.empty()) {
            const std::uint32_t id = tried_.top();
            tried_.pop();
            const std::span<const LinkId> path = transfers_[id].links();
            const std::uint64_t rate = rate_of(path, network_);
            const auto full = std::ranges::find_if(path, [&](LinkId link) { return !has_room(link, rate); });
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
        calendar_.hold(transfers_[id].links(), now_, now_ + times_[id].holds_links);
        events_.push({now_ + times_[id].holds_links, id, EventKind::gives_back_links});
        events_.push({now_ + times_[id].duration, id, EventKind::ends});
    }

    const LinkNetwork& network_;
    TransferList transfers_;
    std::vector<TransferTime> times_;
    std::vector<std::uint64_t> released_at_; ///< empty: none waits for that
    std::vector<std::uint32_t> waits_for_;
    Followers followers_;
    LinkShares calendar_;
    std::vector<LowestFirst> waiting_; ///< by the link that had no room
    LowestFirst tried_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
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

Schedule in_order_of_starts(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    LinkRun run(schedule, network, cost);
    run.run();
    return in_order(schedule, run.starts());
}

Schedule in_order_of_releases(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    LinkRun run(schedule, network, cost);
    run.run();
    return in_order(schedule, run.releases());
}

} // namespace nocturne
