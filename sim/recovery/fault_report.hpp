// A fault table for people and programs: tables, a JSON document, and pictures on the network.
#pragma once

#include "schedules/reschedule/fault_table.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace nocturne {

/// `AAS`, or `OAS from 00` and `AOG to 00` where a processor is singled out.
std::string collective_label(const Problem& problem);

/// One row a fault: for each collective the steps and, where they are more, the lower bound; what cannot be
/// scheduled, and why.
Table fault_table_of(const FaultTable& table);
/// One row a fault and collective, with what became of the transfers, the engine and the time.
Table fault_cells_of(const FaultTable& table);
/// One row a collective: steps without a fault, worst, mean, how many faults end in how many steps, time.
Table fault_summary_of(const FaultTable& table);
/// Keys `topology, faults, summary, cells, disconnections`; the tables above as arrays of objects.
nlohmann::ordered_json fault_document(const FaultTable& table);

/// SVG: the network with each link, channel or node in the colour of the steps that its loss costs in problem
/// `problem`; with pairs of links the worst of those that it is one of. Throws as draw_topology().
std::string fault_picture(const FaultTable& table, std::size_t problem);

} // namespace nocturne
