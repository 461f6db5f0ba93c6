// A fractional routing that is made more and more even.
#pragma once

#include "schedules/flows/shortest_walks.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace nocturne {

/// The congestion of channels and ports by messages that groups send over mixtures of walks. Its potential is
/// the sum over resources of e^(sharpness x congestion / the most): the sharper, the closer is a routing of
/// least potential to one of least congestion, and its prices to the best lengths of a flow bound
/// (Grigoriadis and Khachiyan, Fast approximation schemes for convex programs with many blocks and coupling
/// constraints, SIAM Journal on Optimization 4, 1994). Keeps a number for each group and resource.
class EvenedLoad {
public:
    /// The graph must outlive it.
    EvenedLoad(const WalkGraph& graph, std::size_t groups);

    /// What the group, which sends nothing yet, sends in all.
    void set(std::size_t group, std::span<const Load> loads);
    /// Sends over other walks, which would load resources so, the part of a group's messages with which the
    /// potential is the least.
    void move(std::size_t group, std::span<const Load> loads, double sharpness);

    /// Steps that the most congested resource takes.
    double most() const;
    /// Messages of a group, by resource.
    const std::vector<double>& share(std::size_t group) const { return shares_[group]; }
    /// How the potential grows with a message, by resource, in proportion; 0 for what is never scarce.
    std::vector<double> prices(double sharpness) const;

private:
    double capacity(ResourceId resource) const { return static_cast<double>(graph_->capacity(resource)); }
    double slope(double part, double level, double sharpness) const;

    const WalkGraph* graph_;
    std::vector<std::vector<double>> shares_; // messages by group and resource
    std::vector<double> congestion_;
    std::vector<double> change_; // of the congestion, in move()
};

} // namespace nocturne
