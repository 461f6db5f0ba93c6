// Every single change that breaks a valid schedule is caught by the rule made for it.
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/schedules/schedule/reference_validator.hpp"

#include <algorithm>
#include <functional>

namespace nocturne::mutation_test {

using namespace nocturne::test;

namespace {

/// A schedule with one change, and the violation that the change makes.
struct Mutant {
    Schedule schedule;
    Rule rule;
    std::optional<std::size_t> step;
    std::optional<std::size_t> transfer;
    std::optional<ChannelId> channel;
    std::optional<ProcessorId> processor;
};

struct Place {
    std::size_t step;
    std::size_t transfer;
};

std::vector<Place> places(const Schedule& schedule, const std::function<bool(Place, const Transfer&)>& wanted)
{
    std::vector<Place> result;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        for (std::size_t i = 0; i < schedule.steps[step].size(); ++i)
            if (wanted({step, i}, schedule.steps[step][i]))
                result.push_back({step, i});
    return result;
}

std::optional<Place> pick(Random& random, const std::vector<Place>& from)
{
    return from.empty() ? std::nullopt : std::optional(from[below(random, from.size())]);
}

std::optional<Place> any_transfer(Random& random, const Schedule& schedule)
{
    return pick(random, places(schedule, [](Place, const Transfer&) { return true; }));
}

std::optional<Place> any_with_channels(Random& random, const Schedule& schedule)
{
    return pick(random, places(schedule, [](Place, const Transfer& t) { return !t.path->empty(); }));
}

Transfer take(Schedule& schedule, Place place)
{
    Step& step = schedule.steps[place.step];
    Transfer transfer = step[place.transfer];
    step.erase(step.begin() + static_cast<std::ptrdiff_t>(place.transfer));
    return transfer;
}

/// Puts `transfer` last in a step; its index there.
std::size_t put(Schedule& schedule, std::size_t step, Transfer transfer)
{
    schedule.steps[step].push_back(std::move(transfer));
    return schedule.steps[step].size() - 1;
}

using Mutation = std::optional<Mutant>(Random&, Schedule, const Topology&);

std::optional<Mutant> drop(Random& random, Schedule schedule, const Topology&)
{
    const Transfer dropped = take(schedule, *any_transfer(random, schedule));
    return Mutant{std::move(schedule), Rule::undelivered, {}, {}, {}, dropped.destination};
}

std::optional<Mutant> send_twice(Random& random, Schedule schedule, const Topology&)
{
    const Place place = *any_transfer(random, schedule);
    const Transfer again = schedule.steps[place.step][place.transfer];
    const auto step = place.step + below(random, schedule.steps.size() - place.step);
    const auto index = put(schedule, step, again);
    return Mutant{std::move(schedule), Rule::redundant_delivery, step, index, {}, again.destination};
}

std::optional<Mutant> double_on_its_path(Random& random, Schedule schedule, const Topology&)
{
    const auto place = any_with_channels(random, schedule);
    if (!place)
        return std::nullopt;
    const Transfer again = schedule.steps[place->step][place->transfer];
    const auto index = put(schedule, place->step, again);
    return Mutant{std::move(schedule), Rule::channel_conflict, place->step, index, again.path->front(), {}};
}

std::optional<Mutant> move_to_collide(Random& random, Schedule schedule, const Topology&)
{
    const auto from = any_with_channels(random, schedule);
    if (!from)
        return std::nullopt;
    const Path path = *schedule.steps[from->step][from->transfer].path;
    const auto on_path = [&](ChannelId id) { return std::find(path.begin(), path.end(), id) != path.end(); };
    const auto to = pick(random, places(schedule, [&](Place place, const Transfer& other) {
                             return place.step != from->step &&
                                    std::any_of(other.path->begin(), other.path->end(), on_path);
                         }));
    if (!to)
        return std::nullopt;
    const Path held = *schedule.steps[to->step][to->transfer].path;
    const ChannelId contested = *std::find_if(held.begin(), held.end(), on_path);
    const auto index = put(schedule, to->step, take(schedule, *from));
    return Mutant{std::move(schedule), Rule::channel_conflict, to->step, index, contested, {}};
}

std::optional<Mutant> send_too_early(Random& random, Schedule schedule, const Topology&)
{
    const auto origin = [&](const Transfer& t) { return schedule.collective.messages()[t.message].origin; };
    const auto relay =
        pick(random, places(schedule, [&](Place, const Transfer& t) { return t.source != origin(t); }));
    if (!relay)
        return std::nullopt;
    const Transfer transfer = take(schedule, *relay);
    const auto arrival = places(schedule, [&](Place, const Transfer& t) {
        return t.message == transfer.message && t.destination == transfer.source;
    });
    const auto step = below(random, arrival.front().step + 1);
    const auto index = put(schedule, step, transfer);
    return Mutant{std::move(schedule), Rule::sender_lacks_message, step, index, {}, transfer.source};
}

std::optional<Mutant> take_unknown_channel(Random& random, Schedule schedule, const Topology& topology)
{
    const auto place = any_with_channels(random, schedule);
    if (!place)
        return std::nullopt;
    Path& path = *schedule.steps[place->step][place->transfer].path;
    const auto unknown = static_cast<ChannelId>(topology.channel_count() + random() % 1000);
    path[below(random, path.size())] = unknown;
    return Mutant{std::move(schedule), Rule::unknown_channel, place->step, place->transfer, unknown, {}};
}

std::optional<Mutant> take_wrong_channel(Random& random, Schedule schedule, const Topology& topology)
{
    const auto place = any_with_channels(random, schedule);
    if (!place)
        return std::nullopt;
    Transfer& transfer = schedule.steps[place->step][place->transfer];
    (*transfer.path)[below(random, transfer.path->size())] =
        static_cast<ChannelId>(below(random, topology.channel_count()));
    if (connects(topology, transfer.source, transfer.destination,
                 *transfer.path)) // the same or a parallel one
        return std::nullopt;
    return Mutant{std::move(schedule), Rule::broken_path, place->step, place->transfer, {}, {}};
}

std::optional<Mutant> lose_channel(Random& random, Schedule schedule, const Topology&)
{
    const auto place = any_with_channels(random, schedule);
    if (!place)
        return std::nullopt;
    Path& path = *schedule.steps[place->step][place->transfer].path;
    path.erase(path.begin() + static_cast<std::ptrdiff_t>(below(random, path.size())));
    return Mutant{std::move(schedule), Rule::broken_path, place->step, place->transfer, {}, {}};
}

std::optional<Mutant> lose_path(Random& random, Schedule schedule, const Topology&)
{
    const Place place = *any_transfer(random, schedule);
    schedule.steps[place.step][place.transfer].path.reset();
    return Mutant{std::move(schedule), Rule::missing_path, place.step, place.transfer, {}, {}};
}

/// One more message for somebody who sends (receives) as many as it can in a step.
std::optional<Mutant> overload(Random& random, Schedule schedule, const Topology& topology,
                               ProcessorId Transfer::* end, Rule rule)
{
    const auto capacity = rule == Rule::send_ports ? send_ports : receive_ports;
    const auto busy = pick(random, places(schedule, [&](Place place, const Transfer& transfer) {
                               const Step& step = schedule.steps[place.step];
                               return std::count_if(step.begin(), step.end(), [&](const Transfer& other) {
                                          return other.*end == transfer.*end;
                                      }) == capacity(topology, transfer.*end, schedule.ports);
                           }));
    if (!busy)
        return std::nullopt;
    const ProcessorId processor = schedule.steps[busy->step][busy->transfer].*end;
    const auto more = pick(random, places(schedule, [&](Place place, const Transfer& transfer) {
                               return transfer.*end == processor && place.step != busy->step;
                           }));
    if (!more)
        return std::nullopt;
    const auto index = put(schedule, busy->step, take(schedule, *more));
    return Mutant{std::move(schedule), rule, busy->step, index, {}, processor};
}

std::optional<Mutant> send_too_much(Random& random, Schedule schedule, const Topology& topology)
{
    return overload(random, std::move(schedule), topology, &Transfer::source, Rule::send_ports);
}

std::optional<Mutant> receive_too_much(Random& random, Schedule schedule, const Topology& topology)
{
    return overload(random, std::move(schedule), topology, &Transfer::destination, Rule::receive_ports);
}

bool matches(const Mutant& mutant, const Violation& violation)
{
    return violation.rule == mutant.rule && violation.step == mutant.step &&
           violation.transfer == mutant.transfer &&
           (!mutant.channel || violation.channel == mutant.channel) &&
           (!mutant.processor || violation.processor == mutant.processor);
}

} // namespace

TEST_CASE("every single-change mutation of a valid schedule is caught by the rule made for it",
          "[schedule][validator][mutation]")
{
    Mutation* const mutation = GENERATE(&drop, &send_twice, &double_on_its_path, &move_to_collide,
                                        &send_too_early, &take_unknown_channel, &take_wrong_channel,
                                        &lose_channel, &lose_path, &send_too_much, &receive_too_much);
    static const std::vector<Example> examples = valid_examples();
    unsigned caught = 0;
    for (const auto& [schedule, topology] : examples)
        for (unsigned seed = 0; seed < 40; ++seed) {
            Random random(seed);
            const auto mutant = mutation(random, schedule, topology);
            if (!mutant)
                continue;
            const auto violations = validate(mutant->schedule, topology);
            INFO(schedule.topology << ", seed " << seed << ", expected " << to_string(mutant->rule));
            REQUIRE(std::any_of(violations.begin(), violations.end(),
                                [&](const Violation& violation) { return matches(*mutant, violation); }));
            if (seed < 5)
                REQUIRE(broken_rules(violations) == broken_rules(mutant->schedule, topology));
            ++caught;
        }
    CHECK(caught >= 100); // of 11 x 14 x 40; not every change is possible in every example
}

} // namespace nocturne::mutation_test
