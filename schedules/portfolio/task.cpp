#include "schedules/portfolio/task.hpp"

#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/schedule/schedule_bytes.hpp"

#include <limits>
#include <utility>
#include <variant>

namespace nocturne {
namespace {

nlohmann::json to_json(const SearchResult& result)
{
    nlohmann::json json{
        {"outcome", static_cast<int>(result.outcome)}, {"tried", result.tried}, {"proof", result.proof}};
    if (result.schedule) {
        json["source"] = result.schedule->source;
        json["steps"] = nlohmann::json::binary(to_bytes(result.schedule->steps));
    }
    return json;
}

void prove(const Problem& problem, const Task& task, SearchResult& result, const SearchControl& within)
{
    result.outcome = Outcome::gave_up;
    const SolveControl control{.end = {.deadline = within.end.deadline}};
    InfeasibilitySearch search = infeasibility_bound(problem, task.steps, control);
    if (!search.bound)
        return;
    result.outcome = Outcome::impossible;
    result.proof = std::move(std::get<InfeasibilityProof>(search.bound->certificate).proof);
}

} // namespace

nlohmann::json run_task(const Problem& problem, const Task& task, const SearchControl& control,
                        unsigned lower_bound)
{
    SearchResult result = search(*task.engine, problem, task.steps, control);
    if (result.outcome == Outcome::impossible && result.proof.empty()) {
        if (task.steps >= lower_bound)
            prove(problem, task, result, control);
        else
            result.outcome = Outcome::gave_up;
    }
    return to_json(result);
}

TaskResult task_result(const nlohmann::json& json)
{
    if (json.is_null())
        return {Outcome::gave_up, std::numeric_limits<std::uint64_t>::max(), {}, {}, {}};
    TaskResult result{static_cast<Outcome>(json["outcome"].get<int>()),
                      json["tried"].get<std::uint64_t>(),
                      {},
                      {},
                      json["proof"].get<std::string>()};
    if (!json.contains("steps"))
        return result;
    result.source = json["source"].get<std::string>();
    result.steps = steps_from_bytes(json["steps"].get_binary());
    return result;
}

} // namespace nocturne
