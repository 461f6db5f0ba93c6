#include "schedules/design/annealing.hpp"

#include "models/measures/latency.hpp"
#include "models/routing/random.hpp"
#include "schedules/design/half_edges.hpp"
#include "schedules/design/hop_levels.hpp"
#include "schedules/design/random_network.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace nocturne::design {
namespace {

/// A network on its walk.
class Walk {
public:
    Walk(const Request& request, const Objective& objective, const Objective& searched,
         const Cooling& cooling)
        : model_(request, objective), searched_(request, searched), cooling_(&cooling), random_(cooling.seed),
          network_(request), draw_(network_), levels_(request)
    {
        result_.cost = measures::infinite;
        if (cooling.start.empty())
            link_at_random(network_, draw_, random_);
        else
            network_.assign(cooling.start);
        hops_ = levels_.start(network_);
        more_ = more(hops_);
        cost_ = searched_.cost(hops_, network_.wire_total()) + more_;
        note_best(0);
    }

    CoolingResult run()
    {
        const TemperatureRange range = temperatures();
        // Exchanges at one temperature: few where a term is a linear program or the like.
        const unsigned at_once = searched_.has_more() ? 1 : 64;
        for (double spent = progress(); spent < 1 && result_.cost > cooling_->enough; spent = progress()) {
            const double temperature = range.hot * std::pow(range.cold / range.hot, spent);
            for (unsigned i = 0; i < at_once; ++i)
                step(temperature);
        }
        return std::move(result_);
    }

private:
    using Clock = std::chrono::steady_clock;

    /// The share of the time that is spent.
    double progress() const
    {
        if (cooling_->stop != nullptr && cooling_->stop->load(std::memory_order_relaxed))
            return 1;
        double share = 0;
        if (cooling_->time.exchanges > 0)
            share = static_cast<double>(result_.exchanges) / static_cast<double>(cooling_->time.exchanges);
        if (cooling_->time.seconds > 0)
            share = std::max(share, std::chrono::duration<double>(Clock::now() - begin_).count() /
                                        cooling_->time.seconds);
        return share;
    }

    double more(const HopTotals& hops) const
    {
        return searched_.has_more() && hops.apart == 0 ? searched_.more(network_.links()) : 0;
    }

    TemperatureRange temperatures()
    {
        if (cooling_->temperatures.hot > 0)
            return cooling_->temperatures;
        const unsigned samples = searched_.has_more() ? 10 : 100;
        double sum = 0;
        unsigned rises = 0;
        for (unsigned i = 0; i < samples && progress() < 1; ++i) {
            const double before = cost_;
            step(measures::infinite);
            if (cost_ > before && std::isfinite(cost_)) {
                sum += cost_ - before;
                ++rises;
            }
        }
        const double hot = rises > 0 ? 0.2 * sum / rises : 1;
        result_.temperature = std::min(result_.temperature, hot);
        return {.hot = hot, .cold = hot / 40};
    }

    /// Tries one exchange.
    void step(double temperature)
    {
        ++result_.exchanges;
        const Exchange exchange = draw_(network_, random_);
        const double allowed = cost_ - temperature * std::log(random_.uniform());
        if (!network_.rewire(exchange.beginning, exchange.ending))
            return;
        const double wire = network_.wire_total();
        if (const auto hops = levels_.measure(network_, searched_.limit(allowed, wire))) {
            const double others = more(*hops);
            const double cost = searched_.cost(*hops, wire) + others;
            if (cost <= allowed) {
                levels_.keep();
                hops_ = *hops;
                more_ = others;
                cost_ = cost;
                note_best(temperature);
                return;
            }
        }
        network_.undo();
        levels_.drop();
    }

    void note_best(double temperature)
    {
        if (hops_.apart > 0)
            return;
        // The other terms have the same weights in both objectives.
        const double cost = model_.cost(hops_, network_.wire_total()) + more_;
        if (cost >= result_.cost)
            return;
        result_.cost = cost;
        result_.temperature = temperature;
        result_.links = network_.links();
    }

    CostModel model_;
    CostModel searched_;
    const Cooling* cooling_;
    Clock::time_point begin_ = Clock::now();
    SplitMix64 random_;
    HalfEdges network_;
    ExchangeDraw draw_;
    HopLevels levels_;
    HopTotals hops_;
    double more_ = 0;
    double cost_ = 0;
    CoolingResult result_;
};

} // namespace

CoolingResult cool(const Request& request, const Objective& objective, const Objective& searched,
                   const Cooling& cooling)
{
    if (cooling.time.exchanges == 0 && !(cooling.time.seconds > 0))
        throw std::invalid_argument("design: no limit of time or exchanges");
    return Walk(request, objective, searched, cooling).run();
}

} // namespace nocturne::design
