// The best schedule of chunks so far, by what somebody wants to be short.
#pragma once

#include "schedules/chunk_portfolio/chunk_portfolio.hpp"

#include <array>

namespace nocturne {

/// What an objective compares, in order; less is better.
using ChunkScore = std::array<double, 4>;

class BestSchedule {
public:
    /// Both must outlive it.
    BestSchedule(const LinkNetwork& network, const ChunkRequest& request)
        : network_(network), request_(request)
    {
    }

    /// Whatever an engine found: put into steps if the objective counts them, and cut into the parts asked
    /// for if these are a multiple. False if what there is is as good, or better.
    bool offer(ChunkedSchedule schedule, std::string_view engine);

    bool is_empty() const { return engine_.empty(); }
    const ChunkedSchedule& schedule() const { return schedule_; }
    const std::string& engine() const { return engine_; }
    /// The first number of the score: steps, rounds a chunk, or cycles. Infinity if there is none.
    double value() const;

private:
    bool keep(ChunkedSchedule schedule, std::string_view engine);
    ChunkScore score_of(const ChunkedSchedule& schedule) const;

    const LinkNetwork& network_;
    const ChunkRequest& request_;
    ChunkedSchedule schedule_;
    std::string engine_;
    ChunkScore score_{};
};

} // namespace nocturne
