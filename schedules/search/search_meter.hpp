// What a search has done so far, held against what its control allows.
#pragma once

#include "schedules/search/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>

namespace nocturne {

class SearchMeter {
public:
    /// The control must outlive the meter.
    SearchMeter(const SearchControl& control, std::string_view engine, unsigned steps)
        : control_(&control), engine_(engine), steps_(steps)
    {
    }

    const SearchControl& control() const { return *control_; }
    std::uint64_t tried() const { return tried_; }
    /// Deliveries missing from the best attempt; 2^64 - 1 before the first one.
    std::uint64_t unscheduled() const { return unscheduled_; }

    void count(std::uint64_t more = 1) { tried_ += more; }
    /// Is there no effort left? Costs nothing.
    bool is_spent() const { return control_->effort != 0 && tried_ >= control_->effort; }
    /// Effort that is left; 0 = no limit. Only while it is not spent.
    std::uint64_t effort_left() const { return control_->effort == 0 ? 0 : control_->effort - tried_; }
    /// Is there no effort or time left, or shall the search stop?
    bool is_over() const { return is_spent() || control_->end.has_come(); }

    /// What an attempt may do: so much effort, of what is left, and tell how far all attempts together have
    /// come. What it misses stands for so many deliveries each. The meter must outlive it.
    SearchControl slice(std::uint64_t effort, std::uint64_t deliveries_each = 1) const
    {
        SearchControl slice = *control_;
        slice.effort = effort_left() == 0 ? effort : std::min(effort, effort_left());
        if (slice.on_progress)
            slice.on_progress = [this, deliveries_each](const SearchProgress& progress) {
                control_->on_progress({engine_, steps_, tried_ + progress.tried,
                                       std::min(unscheduled_, progress.unscheduled * deliveries_each)});
            };
        return slice;
    }

    /// An attempt has ended with so many deliveries missing: tells those who wait, four times a second at
    /// most.
    void end_attempt(std::uint64_t missing)
    {
        unscheduled_ = std::min(unscheduled_, missing);
        if (!control_->on_progress)
            return;
        const auto now = std::chrono::steady_clock::now();
        if (now - told_ < std::chrono::milliseconds(250))
            return;
        told_ = now;
        control_->on_progress({engine_, steps_, tried_, unscheduled_});
    }

private:
    const SearchControl* control_;
    std::string_view engine_;
    unsigned steps_;
    std::uint64_t tried_ = 0;
    std::uint64_t unscheduled_ = std::numeric_limits<std::uint64_t>::max();
    std::chrono::steady_clock::time_point told_{};
};

} // namespace nocturne
