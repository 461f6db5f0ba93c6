// What commands that search say of it.
#pragma once

#include "schedules/portfolio/portfolio.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace nocturne::cli {

/// Of a schedule that is printed about, and not written.
inline constexpr std::string_view not_kept_text = "kept         nowhere: -o FILE writes the schedule";

/// `alltoall (AAS, all-to-all scatter) on mesh:4x4, all-port, wormhole`: the first line of what is printed
/// of a problem.
std::string heading(const Problem& problem);

/// How far it has come, for people who wait: one line; `command` (`schedule`) begins it.
std::string progress_text(std::string_view command, const SearchProgress& now);

/// `optimal`, and in what sense where that may mislead: steps are counted, and where links differ in width
/// one step takes longer than another.
std::string optimal_text(const Topology& topology);

/// What came out: the schedule's steps and engine (null without one), and how good that is.
nlohmann::ordered_json finding_json(const std::optional<Schedule>& schedule, const Bound& bound,
                                    std::string_view engine);

} // namespace nocturne::cli
