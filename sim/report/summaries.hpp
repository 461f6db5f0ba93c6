// The summaries of single kinds of results, by summary_of(). Each takes the JSON of one, and throws
// nlohmann::json::exception for another.
#pragma once

#include "sim/report/summary.hpp"
#include "sim/report/traffic_results.hpp"

namespace nocturne {

// Of schedules and bounds.
Summary summary_of_certificate(const nlohmann::ordered_json& result);
Summary summary_of_program(const nlohmann::ordered_json& result);
Summary summary_of_reschedule(const nlohmann::ordered_json& result);
Summary summary_of_evolution(const nlohmann::ordered_json& result);
Summary summary_of_front(const nlohmann::ordered_json& result);
Summary summary_of_faults(const nlohmann::ordered_json& result);

// Of runs.
Summary summary_of_comparison(const nlohmann::ordered_json& result);
Summary summary_of_traffic(const nlohmann::ordered_json& result);
/// Of curves with these names.
Summary summary_of_curves(std::span<const TrafficCurve> curves, const std::vector<std::string>& labels);
/// ` Faults lose 26 % of the packets (1058 of 4053, with xy at load 0.1).`; empty if they lose none.
std::string losses_text(std::uint64_t lost, std::uint64_t of_packets, std::string_view where);
/// The highest steady load of each; `> 0.5` where no load saturates, `< 0.1` where all do.
std::vector<Cell> saturation_cells(std::span<const TrafficCurve> curves);
Summary summary_of_replay(const nlohmann::ordered_json& result);
Summary summary_of_recovery(const nlohmann::ordered_json& result);
Summary summary_of_contracts(const nlohmann::ordered_json& result);
Summary summary_of_benes(const nlohmann::ordered_json& result);
Summary summary_of_closed_loop(const nlohmann::ordered_json& result);
Summary summary_of_trace(const nlohmann::ordered_json& result);
Summary summary_of_audit(const nlohmann::ordered_json& result);

// Of networks.
Summary summary_of_network(const nlohmann::ordered_json& result);
Summary summary_of_design(const nlohmann::ordered_json& result);

// What they read: a member that is not there, or null, is nothing.
std::optional<double> number_in(const nlohmann::ordered_json& result, const char* member);
/// short_number() of it, or of 0.
std::string number_text(const nlohmann::ordered_json& result, const char* member);
std::string text_in(const nlohmann::ordered_json& result, const char* member);
/// Nothing unless it is true or false.
std::optional<bool> flag_in(const nlohmann::ordered_json& result, const char* member);
/// An empty list if it is none.
const nlohmann::ordered_json& list_in(const nlohmann::ordered_json& result, const char* member);

} // namespace nocturne
