#include "schedules/chunk_search/exact_questions.hpp"

#include "schedules/chunk_search/exact_sums.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_bytes.hpp"

#include <utility>

namespace nocturne {
namespace {

/// Nothing is added, or all is for one receiver a chunk: the formula for copies, backwards, says all.
bool copies_or_turns(const Collective& collective)
{
    return reduces(collective) ? can_be_turned(collective) : owes_whole(collective);
}

nlohmann::json to_json(const ExactAnswer& answer)
{
    nlohmann::json json{{"verdict", static_cast<int>(answer.verdict)}};
    if (answer.schedule)
        json["schedule"] = nlohmann::json::binary(to_bytes(*answer.schedule));
    return json;
}

ExactAnswer answer_of(const nlohmann::json& json, const Collective& collective)
{
    ExactAnswer answer{.verdict = static_cast<Verdict>(json["verdict"].get<int>())};
    if (json.contains("schedule"))
        answer.schedule = schedule_from_bytes(json["schedule"].get_binary(), collective);
    return answer;
}

} // namespace

void put_questions(const LinkNetwork& network, std::span<const ExactQuestion> questions,
                   const QuestionsConfig& config,
                   const std::function<void(std::size_t question, ExactAnswer answer)>& take)
{
    bool is_found = false;
    OrderedJobs<ExactAnswer> jobs;
    jobs.count = questions.size();
    jobs.is_wanted = [&](std::size_t) { return !is_found && !config.end.has_come(); };
    jobs.make = [&](std::size_t i) {
        const auto& [collective, shape] = questions[i];
        const ExactConfig exact{.shape = shape, .conflicts = config.conflicts, .end = config.end};
        return copies_or_turns(*collective) ? decide_steps(network, *collective, exact)
                                            : decide_sums(network, *collective, exact);
    };
    jobs.take = [&](std::size_t i, ExactAnswer answer) {
        is_found = answer.verdict == Verdict::satisfiable;
        take(i, std::move(answer));
    };
    jobs.encode = to_json;
    jobs.decode = [&](std::size_t i, const nlohmann::json& json) {
        return answer_of(json, *questions[i].collective);
    };
    jobs.is_stopped = [&] { return config.end.is_stopped(); };
    // What any number of conflicts may be spent on has been open after many: it is long. Other formulas are
    // mostly made and decided faster than a process begins.
    if (config.conflicts > 0)
        jobs.least_to_hand_over = config.least_to_hand_over;
    run_in_order(jobs, {.workers = config.workers, .deadline = with_grace(config.end.deadline)});
}

} // namespace nocturne
