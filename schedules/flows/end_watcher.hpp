// Linear programs that give up when a search ends.
#pragma once

#include "schedules/problem/search_end.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>

namespace nocturne {

/// Looks at the clock every few iterations of the simplex method. CLP's own limit of seconds is of processor
/// time, and it knows no flag.
class EndWatcher final : public ClpEventHandler {
public:
    explicit EndWatcher(const SearchEnd& end) : end_(end) {}

    int event(Event what) override
    {
        constexpr int go_on = -1, give_up = 5;
        constexpr unsigned look_interval = 16;
        const bool looks = what == endOfIteration && ++iterations_ % look_interval == 0;
        return looks && end_.has_come() ? give_up : go_on;
    }
    ClpEventHandler* clone() const override { return new EndWatcher(*this); } // NOLINT: CLP takes it

private:
    SearchEnd end_;
    unsigned iterations_ = 0;
};

/// After the end the model is not isProvenOptimal().
inline void watch(ClpSimplex& model, const SearchEnd& end)
{
    EndWatcher watcher(end);
    model.passInEventHandler(&watcher); // copies it
}

} // namespace nocturne
