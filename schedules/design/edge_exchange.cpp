#include "schedules/design/edge_exchange.hpp"

#include "models/measures/latency.hpp"
#include "models/routing/random.hpp"
#include "models/topology/indices_by.hpp"
#include "schedules/design/annealing.hpp"
#include "schedules/schedule/bytes.hpp"
#include "schedules/workers/team.hpp"
#include "schedules/workers/workers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace nocturne::design {
namespace {

/// A cooling, the symmetry that it searches with, and the weight of the maximum latency that it goes by.
struct CoolingTask {
    unsigned symmetry = 1;
    double maximum_latency = 1;
    Cooling cooling = {};
};

// What goes to worker processes, and comes back.
auto task_fields(auto& task)
{
    return std::tie(task.symmetry, task.maximum_latency, task.cooling.seed, task.cooling.time,
                    task.cooling.temperatures, task.cooling.start, task.cooling.enough);
}
auto result_fields(auto& result)
{
    return std::tie(result.links, result.cost, result.temperature, result.exchanges);
}

/// A network that a cooling has found.
struct Found {
    unsigned symmetry; ///< that it was searched with
    CoolingResult result;
};

/// Of the request: multiples of its own that networks of it can have.
std::vector<unsigned> possible_symmetries(const Request& request)
{
    std::vector<unsigned> symmetries;
    for (unsigned s = request.symmetry; s <= request.nodes / 2; s += request.symmetry) {
        Request symmetric = request;
        symmetric.symmetry = s;
        if (request.nodes % s == 0 && has_symmetry(symmetric))
            symmetries.push_back(s);
    }
    if (symmetries.empty()) // the request's own: each node is an image of each other one
        symmetries.push_back(request.symmetry);
    return symmetries;
}

CoolingResult no_network()
{
    return {.links = {}, .cost = measures::infinite, .temperature = 0, .exchanges = 0};
}

/// What no network of the request costs less than.
double least_cost(const Request& request, const Objective& objective)
{
    const CostModel model(request, objective);
    if (!request.processors.empty() || model.has_more() || objective.wire_total > 0)
        return -measures::infinite;
    unsigned degree = 0;
    for (NodeId node = 0; node < request.nodes; ++node)
        degree = std::max(degree, request.degree(node));
    const auto bound = measures::moore_bound(request.nodes, degree, request.kind);
    constexpr double rounding = 1 + 1e-12;
    return rounding *
           (objective.average_latency * bound.average_with_self + objective.maximum_latency * bound.maximum);
}

/// One call of exchange_links().
class LinkExchange {
public:
    LinkExchange(const Request& request, const Objective& objective, const ExchangeOptions& options)
        : request_(request), objective_(objective), options_(options), random_(options.seed),
          symmetries_(possible_symmetries(request)), origins_(symmetries_.size(), no_network()),
          enough_(least_cost(request, objective)), team_(options.islands, options.workers, [&](std::size_t) {
              return [this](std::span<const std::uint8_t> message) { return answer(message); };
          })
    {
    }

    Design run()
    {
        for (round_ = 1; round_ <= options_.rounds && !is_over(); ++round_) {
            std::vector<CoolingTask> tasks;
            std::vector<Bytes> messages;
            for (unsigned island = 0; island < options_.islands; ++island) {
                tasks.push_back(next_task(island));
                append_fields(messages.emplace_back(), task_fields(tasks.back()));
            }
            std::vector<Bytes> answers;
            try {
                answers = team_.round(messages);
            } catch (const Interrupted& interrupted) {
                if (pool_.empty())
                    throw;
                if (options_.on_interrupt)
                    options_.on_interrupt(interrupted.exit_status());
                break;
            }
            for (unsigned island = 0; island < options_.islands; ++island) {
                CoolingResult result;
                std::span<const std::uint8_t> bytes = answers[island];
                extract_fields(bytes, result_fields(result));
                take(tasks[island], std::move(result));
            }
            if (options_.on_round)
                options_.on_round(
                    {round_, exchanges_, best_cost(), pool_.empty() ? 1 : pool_.front().symmetry});
        }
        if (pool_.empty())
            throw std::runtime_error("design: no connected network was found");
        return make_design(request_, objective_, pool_.front().result.links);
    }

private:
    using Clock = std::chrono::steady_clock;

    double best_cost() const { return pool_.empty() ? measures::infinite : pool_.front().result.cost; }
    double seconds_left() const
    {
        return options_.seconds - std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    bool is_over() const
    {
        return best_cost() <= enough_ || (options_.seconds > 0 && seconds_left() <= 0) ||
               (options_.stop != nullptr && *options_.stop);
    }

    /// In a worker process.
    Bytes answer(std::span<const std::uint8_t> message) const
    {
        CoolingTask task;
        extract_fields(message, task_fields(task));
        task.cooling.stop = options_.stop;
        Request request = request_;
        request.symmetry = task.symmetry;
        Objective searched = objective_;
        searched.maximum_latency = task.maximum_latency;
        const CoolingResult result = cool(request, objective_, searched, task.cooling);
        Bytes bytes;
        append_fields(bytes, result_fields(result));
        return bytes;
    }

    /// Each round takes twice as long as the one before: the first ones find out where to look, and it is
    /// slow coolings that come lowest.
    CoolingTime time_of_task() const
    {
        constexpr double growth = 2;
        const double rounds_left = options_.rounds - round_ + 1;
        const double share = (growth - 1) / (std::pow(growth, rounds_left) - 1);
        CoolingTime time;
        if (options_.exchanges > 0) {
            const auto left =
                static_cast<double>(options_.exchanges - std::min(exchanges_, options_.exchanges));
            time.exchanges = static_cast<std::uint64_t>(std::max(left * share / options_.islands, 1.0));
        }
        if (options_.seconds > 0) {
            const unsigned workers =
                options_.workers > 0 ? options_.workers : std::max(1U, std::thread::hardware_concurrency());
            const unsigned in_turn = (options_.islands + workers - 1) / workers;
            time.seconds = std::max(seconds_left() * share / in_turn, 1e-3);
        }
        return time;
    }

    /// 0 with probability 1/2, 1 with 1/4, and so on.
    std::size_t draw_rank(std::size_t count)
    {
        std::size_t rank = 0;
        while (rank + 1 < count && random_.below(2) == 0)
            ++rank;
        return rank;
    }

    CoolingTask next_task(unsigned island)
    {
        CoolingTask task;
        task.cooling.seed = random_();
        task.cooling.time = time_of_task();
        task.cooling.enough = enough_;
        task.maximum_latency = objective_.maximum_latency;
        // A step of the maximum is a wall that splits the landscape. Mostly it costs as much as n / 4 hops of
        // a single pair only.
        if (random_.below(4) > 0 && objective_.average_latency > 0)
            task.maximum_latency =
                std::min(task.maximum_latency, objective_.average_latency / (4.0 * request_.nodes));
        const std::size_t first_tasks = symmetries_.size();
        const std::size_t number = std::size_t{round_ - 1} * options_.islands + island;
        if (number < first_tasks)
            task.symmetry = symmetries_[number];
        else if (!pool_.empty() && island % 2 == 1)
            relax(task);
        else
            begin_anew(task);
        return task;
    }

    /// The place of a symmetry, the rather the less the best of its networks costs.
    std::size_t draw_symmetry()
    {
        const auto order = indices_by(symmetries_.size(), [&](std::size_t i) { return origins_[i].cost; });
        return order[draw_rank(order.size())];
    }

    /// A random network of one of the symmetries that have led furthest.
    void begin_anew(CoolingTask& task)
    {
        const std::size_t chosen = draw_symmetry();
        task.symmetry = symmetries_[chosen];
        if (const double formed = origins_[chosen].temperature; formed > 0)
            task.cooling.temperatures = {1.8 * formed, 0.7 * formed};
    }

    /// One of the best networks, or the best of a symmetry, with a smaller symmetry if it has any.
    void relax(CoolingTask& task)
    {
        Found found = pool_[draw_rank(pool_.size())];
        if (random_.below(2) == 0)
            if (const std::size_t chosen = draw_symmetry(); !origins_[chosen].links.empty())
                found = {symmetries_[chosen], origins_[chosen]};
        std::vector<unsigned> smaller;
        for (const unsigned s : symmetries_)
            if (s < found.symmetry && found.symmetry % s == 0)
                smaller.push_back(s);
        task.symmetry = smaller.empty() ? found.symmetry : smaller[draw_rank(smaller.size())];
        // An exchange of s links at once costs about s times as much as one of a single link.
        const double formed = found.result.temperature * task.symmetry / found.symmetry;
        constexpr double factors[] = {2, 1.5, 1.25, 1};
        const double hot = formed * factors[random_.below(4)];
        if (hot > 0)
            task.cooling.temperatures = {hot, hot / 2.5};
        task.cooling.start = found.result.links;
    }

    void take(const CoolingTask& task, CoolingResult result)
    {
        exchanges_ += result.exchanges;
        if (result.links.empty())
            return;
        const auto at = static_cast<std::size_t>(
            std::find(symmetries_.begin(), symmetries_.end(), task.symmetry) - symmetries_.begin());
        if (task.cooling.start.empty() && result.cost < origins_[at].cost)
            origins_[at] = result;
        if (!task.cooling.start.empty() && !(result.temperature > 0))
            return; // nothing better than what it started from
        constexpr std::size_t most_kept = 16;
        const auto place = std::find_if(pool_.begin(), pool_.end(),
                                        [&](const Found& other) { return result.cost < other.result.cost; });
        pool_.insert(place, {task.symmetry, std::move(result)});
        if (pool_.size() > most_kept)
            pool_.pop_back();
    }

    const Request& request_;
    const Objective& objective_;
    const ExchangeOptions& options_;
    Clock::time_point begin_ = Clock::now();
    SplitMix64 random_;
    std::vector<unsigned> symmetries_;
    std::vector<CoolingResult> origins_; ///< by symmetry: the best that came of a random network
    double enough_;
    unsigned round_ = 0;
    std::uint64_t exchanges_ = 0;
    std::vector<Found> pool_; ///< the best first
    Team team_;
};

} // namespace

Design exchange_links(const Request& request, const Objective& objective, const ExchangeOptions& options)
{
    check_request(request);
    CostModel(request, objective);
    if (options.exchanges == 0 && !(options.seconds > 0))
        throw std::invalid_argument("design: no limit of time or exchanges");
    if (options.islands == 0 || options.rounds == 0)
        throw std::invalid_argument("design: at least one island and one round");
    return LinkExchange(request, objective, options).run();
}

} // namespace nocturne::design
