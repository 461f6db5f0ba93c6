// A fault table for people and programs: lists of fields, and pictures on the network.
#pragma once

#include "schedules/reschedule/fault_table.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace nocturne {

/// `alltoall`, or `scatter from 00` and `gather to 00` where a processor is singled out.
std::string collective_label(const Problem& problem);

/// One row a fault: for each collective the steps and, where they are more, the lower bound; what cannot be
/// scheduled, and why.
Table fault_table_of(const FaultTable& table);
struct ReportedFault {
    std::string fault;
    std::string collective;
    std::size_t steps_before;
    FaultCell cell;
};
Fields<ReportedFault> fields_of(const ReportedFault*);

struct ReportedCollective {
    std::string collective;
    std::size_t steps_before;
    FaultSummary summary;
};
Fields<ReportedCollective> fields_of(const ReportedCollective*);

struct Disconnection {
    std::string fault;
    std::string reason;
};
Fields<Disconnection> fields_of(const Disconnection*);

struct FaultReport {
    std::string topology;
    std::string kind;
    std::vector<ReportedCollective> summary; ///< by problem
    std::vector<ReportedFault> cells;
    std::vector<Disconnection> disconnections;
};
Fields<FaultReport> fields_of(const FaultReport*);

FaultReport fault_report(const FaultTable& table);

/// SVG: the network with each link, channel or node in the colour of the steps that its loss costs in problem
/// `problem`; with pairs of links the worst of those that it is one of. Throws as draw_topology().
std::string fault_picture(const FaultTable& table, std::size_t problem);

} // namespace nocturne
