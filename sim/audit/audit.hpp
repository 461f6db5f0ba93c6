// Measured collectives beside what their network allows: a proven bound, the usual algorithms, a schedule.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/problem/search_end.hpp"
#include "sim/audit/measured_log.hpp"
#include "sim/report/fields.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

struct AuditSetting {
    double cycle_ns = 1;
    double start_cycles = 0;   ///< of a transfer, beside the latency of its links
    bool switches_add = false; ///< the bound is that of networks whose switches add (NVLS, SHARP)
    /// Of the search for a schedule at the largest size; 0: there is none.
    std::chrono::duration<double> budget{0};
    unsigned workers = 1;
    const std::atomic<bool>* stop = nullptr; ///< set from elsewhere: give up the search
};

/// A measured time beside the least one.
struct AuditRow {
    std::uint64_t run = 1; ///< from 1
    std::uint64_t bytes = 0;
    std::string place;
    double time_us = 0;
    double least_time_us = 0;
    double bus_bandwidth = 0; ///< GB/s
    double share_percent = 0; ///< of the bound: 100 is as quick as can be
    std::string note;
    std::uint64_t line = 0;
};

/// What something reaches at most, at the size with the best share.
struct AuditLimit {
    std::uint64_t run = 1;
    std::string what;
    double bus_bandwidth = 0; ///< GB/s
    double share_percent = 0; ///< of it that was measured
    std::string why;
};

struct AuditedRun {
    std::uint64_t run = 1;
    std::string collective;
    std::string tool;
    std::uint64_t ranks = 0;
    std::string device;
    std::optional<std::uint64_t> bytes; ///< of the row with the best share; none: every row is wrong
    std::optional<double> bus_bandwidth;
    std::optional<double> bound_bus_bandwidth;
    std::optional<double> share_percent;
    std::string verdict; ///< one sentence
};

struct AuditResult {
    std::string topology;
    std::uint64_t processors = 0;
    double least_bandwidth = 0; ///< GB/s out of the processor with the narrowest links
    double cycle_ns = 1;
    std::vector<AuditedRun> runs;
    std::vector<AuditLimit> limits;
    std::vector<AuditRow> rows;
    std::vector<std::string> remarks; ///< what was left out or inferred, one line each
};
Fields<AuditRow> fields_of(const AuditRow*);
Fields<AuditLimit> fields_of(const AuditLimit*);
Fields<AuditedRun> fields_of(const AuditedRun*);
Fields<AuditResult> fields_of(const AuditResult*);

/// Of a network without runs.
AuditResult empty_audit(const LinkNetwork& network, double cycle_ns);

/// Adds the run, which is of this collective in one part, to the result. Throws std::invalid_argument if a
/// receiver cannot be reached.
void add_audit(AuditResult& result, const MeasuredRun& run, const LinkNetwork& network,
               const Collective& collective, const AuditSetting& setting);

} // namespace nocturne
