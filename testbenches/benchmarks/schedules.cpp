#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "testbenches/benchmarks/benchmark_case.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace nocturne::benchmarks {

namespace {

Problem all_to_all_scatter_on(const std::string& topology)
{
    Topology network = make_topology(topology);
    const auto processors = static_cast<std::uint32_t>(network.processor_count());
    return make_problem(std::move(network), alltoall({processors}));
}

double deliveries(const Problem& problem)
{
    double owed = 0;
    for (const Message& message : problem.collective.messages())
        owed += static_cast<double>(message.receivers.size());
    return owed;
}

/// What an engine makes of the problem, with at most so many steps.
Schedule found(const char* engine, const Problem& problem, unsigned steps)
{
    SearchControl control;
    control.effort = 5'000'000;
    SearchResult result = search(find_engine(engine), problem, steps, control);
    if (!result.schedule)
        throw std::runtime_error(
            fmt::format("{} finds no {} steps for {}", engine, steps, describe(problem)));
    return *std::move(result.schedule);
}

Sample validation(const std::string& topology)
{
    const Problem problem = all_to_all_scatter_on(topology);
    const Schedule schedule = found("construct", problem, lower_bound(problem).steps);
    const double begin = processor_seconds();
    if (!validate(schedule, problem).empty())
        throw std::runtime_error("a construction is invalid");
    return sample_since(begin, deliveries(problem));
}

Sample reading(const std::string& topology)
{
    const Problem problem = all_to_all_scatter_on(topology);
    const Schedule schedule = found("construct", problem, lower_bound(problem).steps);
    const double begin = processor_seconds();
    const std::string text = to_json_text(schedule, problem.topology);
    if (parse_schedule(text, problem.topology, "text").steps != schedule.steps)
        throw std::runtime_error("a schedule does not come back from its text");
    return sample_since(begin, deliveries(problem));
}

Sample bounding(const std::string& topology)
{
    const Problem problem = all_to_all_scatter_on(topology);
    const double begin = processor_seconds();
    static_cast<void>(lower_bound(problem));
    return sample_since(begin, 1);
}

/// `above`: steps above the bound that the engine may take.
Sample searching(const char* engine, const std::string& topology, unsigned above)
{
    const Problem problem = all_to_all_scatter_on(topology);
    const unsigned steps = lower_bound(problem).steps + above;
    const double begin = processor_seconds();
    static_cast<void>(found(engine, problem, steps));
    return sample_since(begin, deliveries(problem));
}

} // namespace

std::vector<BenchmarkCase> schedule_cases()
{
    std::vector<BenchmarkCase> cases;
    const auto processors = [](const std::string& topology) {
        return static_cast<double>(make_topology(topology).processor_count());
    };
    for (const char* topology : {"torus:8x8", "torus:16x16"}) {
        cases.push_back({fmt::format("validate/{}", topology), "transfers", processors(topology),
                         [topology] { return validation(topology); }});
        cases.push_back({fmt::format("write and read JSON/{}", topology), "transfers", processors(topology),
                         [topology] { return reading(topology); }});
    }
    for (const char* topology : {"mesh:8x8", "mesh:16x16", "kautz:3,3"})
        cases.push_back({fmt::format("bound/{}", topology), "bounds", processors(topology),
                         [topology] { return bounding(topology); }});
    struct Search {
        const char* engine;
        const char* topology;
        unsigned above;
    };
    for (const Search& each : {Search{"construct", "torus:16x16", 0}, Search{"local", "mesh:4x4", 1},
                               Search{"local", "mesh:8x8", 8}})
        cases.push_back({fmt::format("{}/{}", each.engine, each.topology), "deliveries",
                         processors(each.topology),
                         [each] { return searching(each.engine, each.topology, each.above); }});
    return cases;
}

} // namespace nocturne::benchmarks
