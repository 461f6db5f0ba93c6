// Classes of virtual channels, and their shares of those that a link has.
#pragma once

#include "models/topology/topology.hpp"

#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// The classes 0 .. count-1 of virtual channels that routes use, with how much traffic each carries. A value,
/// which reads as its number of classes where only that matters.
class VcClasses {
public:
    /// That many, 0 or more, which share the virtual channels of every link equally.
    VcClasses(unsigned count = 1) : loads_{Loads(count, 1.0)} {} // NOLINT(google-explicit-constructor)
    /// By channel of the network a load for each class, in any unit, 0 where no route uses the class on the
    /// channel; one row stands for all channels.
    explicit VcClasses(std::vector<std::vector<double>> loads) : loads_(std::move(loads)) {}
    /// The same with the numbers of virtual channels that the classes are to have in the place of loads.
    static VcClasses of_vcs(std::vector<std::vector<double>> vcs);

    unsigned count() const { return static_cast<unsigned>(loads_.front().size()); }
    operator unsigned() const { return count(); } // NOLINT(google-explicit-constructor)
    /// These, and behind them the upper ones, every class as loaded in the mean as one of the others; of
    /// of_vcs() these keep their numbers, and the upper ones have one virtual channel each in the mean.
    VcClasses followed_by(const VcClasses& upper) const;
    /// As of_vcs(), where these classes together have so many virtual channels of each link, used() or more,
    /// by their loads.
    VcClasses with_vcs(unsigned vcs) const;

    /// Classes that need a virtual channel of a channel: those with a load there.
    unsigned used(ChannelId channel) const;

    /// The virtual channels of a class on a link.
    struct Range {
        unsigned first;
        unsigned count;

        friend bool operator==(const Range&, const Range&) = default;
    };

    /// How the classes share the `vcs` virtual channels, used() or more, of a channel; by class. Where loads
    /// are equal class c has those from c * vcs / count on. Otherwise each class that is used has one, and of
    /// the rest each goes where most traffic shares one, so that the highest load of a virtual channel is as
    /// low as can be.
    std::vector<Range> shares(ChannelId channel, unsigned vcs) const;

private:
    using Loads = std::vector<double>; ///< by class

    const Loads& of(ChannelId channel) const { return loads_.size() == 1 ? loads_.front() : loads_[channel]; }

    std::vector<Loads> loads_;
    bool are_vcs_ = false;
};

/// The number of virtual channels that each class gets, by its load; a class without load gets none.
std::vector<unsigned> vcs_by_load(std::span<const double> loads, unsigned vcs);

} // namespace nocturne
