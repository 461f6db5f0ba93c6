#include "schedules/design/annealing.hpp"

#include "models/routing/random.hpp"
#include "schedules/design/half_edges.hpp"
#include "schedules/design/hop_levels.hpp"
#include "schedules/design/random_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nocturne::design {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A network on its walk.
class Walk {
public:
    Walk(const Request& request, const Objective& objective, const Objective& searched,
         const Cooling& cooling)
        : model_(request, objective), searched_(request, searched), cooling_(&cooling), random_(cooling.seed),
          network_(request), draw_(network_), levels_(request)
    {
        result_.cost = infinite;
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
        constexpr std::uint64_t at_once = 64; // exchanges at one temperature
        const auto begin = result_.exchanges;
        while (result_.exchanges < cooling_->exchanges && !is_over()) {
            const double progress = static_cast<double>(result_.exchanges - begin) /
                                    static_cast<double>(cooling_->exchanges - begin);
            const double temperature = range.hot * std::pow(range.cold / range.hot, progress);
            const std::uint64_t end = std::min(cooling_->exchanges, result_.exchanges + at_once);
            for (; result_.exchanges < end; ++result_.exchanges)
                step(temperature);
        }
        return std::move(result_);
    }

private:
    bool is_over() const
    {
        return result_.cost <= cooling_->enough || std::chrono::steady_clock::now() >= cooling_->deadline;
    }

    double more(const HopTotals& hops) const
    {
        return searched_.has_more() && hops.apart == 0 ? searched_.more(network_.links()) : 0;
    }

    TemperatureRange temperatures()
    {
        if (cooling_->temperatures.hot > 0)
            return cooling_->temperatures;
        constexpr unsigned samples = 100;
        double sum = 0;
        unsigned rises = 0;
        for (unsigned i = 0; i < samples && result_.exchanges < cooling_->exchanges; ++i) {
            const double before = cost_;
            ++result_.exchanges;
            step(infinite);
            if (cost_ > before) {
                sum += cost_ - before;
                ++rises;
            }
        }
        const double hot = rises > 0 ? 0.2 * sum / rises : 1;
        return {.hot = hot, .cold = hot / 40};
    }

    /// Tries one exchange.
    void step(double temperature)
    {
        const Exchange exchange = draw_(network_, random_);
        const double allowed = cost_ - temperature * std::log(random_.uniform());
        if (!network_.rewire(exchange.beginning, exchange.ending))
            return;
        const double wire = network_.wire_total();
        if (const auto hops =
                levels_.measure(network_, searched_.limit(allowed - searched_.least_more(), wire))) {
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
    return Walk(request, objective, searched, cooling).run();
}

} // namespace nocturne::design
