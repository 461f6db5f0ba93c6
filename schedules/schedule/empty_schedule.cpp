#include "schedules/schedule/empty_schedule.hpp"

#include <fmt/format.h>

namespace nocturne {

Schedule empty_schedule(const Problem& problem, std::string_view engine)
{
    return {.name = describe(problem),
            .source = fmt::format("engine {}", engine),
            .topology = problem.topology.name(),
            .collective = problem.collective,
            .ports = problem.ports,
            .switching = problem.switching,
            .steps = {},
            .slack = problem.slack};
}

} // namespace nocturne
