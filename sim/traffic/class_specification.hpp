// Kinds of traffic that run at the same time, by name.
#pragma once

#include "models/routing/vc_classes.hpp"
#include "sim/traffic/measure.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct ClassSpecification {
    std::string name;
    std::string pattern = "uniform";    ///< see make_pattern()
    double load = 0;                    ///< flits per processor and cycle, mean over all processors
    std::string packet_flits = "8";     ///< see make_message_sizes()
    std::string arrivals = "bernoulli"; ///< see make_arrivals()
    unsigned vcs = 0; ///< virtual channels of each link that are its own; 0: a share by its routing's classes
    unsigned priority = 0; ///< 0 .. 255, for arbiters that ask for it
    /// Names of the processors that send, as a shell matches them (fnmatch()).
    std::string senders = "*";
    std::string vcs_of = {}; ///< an earlier class whose virtual channels it has; empty: its own

    friend bool operator==(const ClassSpecification&, const ClassSpecification&) = default;
};

/// `NAME,load=0.1,pattern=transpose,packet-flits=2,arrivals=bursty:50,0.5,vcs=2,priority=1,senders=noc1/*`,
/// or `vcs-of=OTHER` instead of `vcs`: all but name and load may be left out; a part without a key belongs to
/// the value before it. Throws std::invalid_argument for another text, with the keys that there are, and for
/// values out of range.
ClassSpecification parse_class(std::string_view text);

/// By processor: does it send?
std::vector<bool> senders_of(const ClassSpecification& of, const Topology& topology);

/// Throws std::invalid_argument if two have the same name, and for `vcs_of` beside `vcs`, or of no earlier
/// class that has its own.
void check_classes(const std::vector<ClassSpecification>& classes);

/// Traffic on a network, of one class or more, their texts parsed: what takes memory.
struct PreparedClasses {
    struct Each {
        ClassSpecification specification;
        Traffic traffic;
        std::shared_ptr<const Routing> routing;
    };
    std::vector<Each> classes; ///< 1 or more
    VcClasses vc_classes;

    /// What the first class is sent by, and the network is made for, but for its classes.
    const Routing& routing() const { return *classes.front().routing; }
    /// What measure_classes() takes; this must outlive it.
    std::vector<ClassTraffic> traffic() const;
    double load() const;
    /// With the loads of all by one factor, so that they are `load` together; as they are if they are that.
    PreparedClasses at(double load) const;
    /// The highest load() that all of them can offer, see highest_load(). Throws std::invalid_argument if
    /// none has a load.
    double highest_load(const Topology& topology, PortModel ports) const;
};

/// One class that is all traffic there is, at load 1.
PreparedClasses single_class(Traffic traffic, std::shared_ptr<const Routing> routing);

/// Each class has virtual channels of its own between routers: as many classes of them as `routing` has, one
/// behind the other, unless it has those of an earlier one. The seeds of the classes follow from `seed`.
/// Throws std::invalid_argument for a routing that is decided by the routers, for senders that there are not,
/// for fewer `vcs` of a class than the routing needs, for `vcs` of some classes only, and what the functions
/// for the texts throw. `by_channel`: of channels where it differs, the virtual channels of each class
/// (class_vcs.hpp).
PreparedClasses prepare_classes(const std::vector<ClassSpecification>& classes, const Topology& topology,
                                const std::shared_ptr<const Routing>& routing, std::uint64_t seed,
                                std::size_t queue_packets,
                                const std::vector<std::vector<unsigned>>& by_channel = {});

} // namespace nocturne
