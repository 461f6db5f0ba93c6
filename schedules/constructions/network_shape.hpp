// What constructions ask of a network before they trust it to be what its name says.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// The first channel from one router to another; nothing if there is none.
std::optional<ChannelId> find_channel(const Topology& topology, RouterId from, RouterId to);

/// The processor of each router, if every router has exactly one, which injects there and is ejected to
/// there.
std::optional<std::vector<ProcessorId>> processors_of_routers(const Topology& topology);

/// How many messages every processor can send, and receive, in one step.
unsigned common_ports(const Problem& problem);

} // namespace nocturne
