// What is to be known of a run before its results are read.
#pragma once

#include "models/hardware/configuration.hpp"
#include "models/routing/routing.hpp"
#include "sim/cli/option_values.hpp"

#include <string>
#include <vector>

namespace nocturne::cli {

/// One line each, where there is something to say: that the routing can deadlock, and how; where latencies
/// differ, what its paths are minimal in; that buffers are too small for the time that a credit takes. The
/// deadlock check is left out for a routing that has classes of virtual channels, which are there to rule
/// deadlocks out, or routers that decide, and on networks of more than 1024 processors, where it takes as
/// long as short runs do.
std::vector<std::string> run_notes(const Topology& topology, const Routing& routing,
                                   const HardwareConfig& hardware);

/// Collects these, each once, and prints them on standard error, unless there is to be one JSON object and
/// nothing else.
class NotePrinter {
public:
    explicit NotePrinter(const OptionValues& given) : is_silent_(given.is_on("json")) {}

    void print(const Topology& topology, const Routing& routing, const HardwareConfig& hardware);

    const std::vector<std::string>& notes() const { return notes_; }

private:
    bool is_silent_;
    std::vector<std::string> notes_;
};

} // namespace nocturne::cli
