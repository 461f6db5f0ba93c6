// "There is a slot table" as a propositional formula.
#include "schedules/satisfiability/cnf_encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {

namespace {

constexpr std::size_t most_slot_literals = 20'000'000;

/// A variable for each flow and start, one for each flow and path; where a flow has a link in a unit
/// follows from both.
class SlotEncoding {
public:
    explicit SlotEncoding(const SlotProblem& problem) : problem_(problem), flows_(problem.flows.size())
    {
        std::vector<std::vector<Literal>> wanted(SlotLinks(problem.topology).count() * problem.units());
        for (std::size_t flow = 0; flow < flows_.size() && !is_too_large(); ++flow)
            add_flow(flow, wanted);
        for (const std::vector<Literal>& in_one_unit : wanted) {
            if (is_too_large())
                return;
            add_at_most(formula_, 1, in_one_unit);
        }
    }

    const Formula& formula() const { return formula_; }
    bool is_too_large() const { return formula_.literal_count() > most_slot_literals; }

    SlotTable table(const Model& model) const
    {
        SlotTable result{problem_.slots, {}};
        for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
            FlowSlots slots{problem_.paths[flow][path_in(model, flow)].path, {}};
            for (std::uint32_t unit = 0; unit < problem_.units(); ++unit)
                if (holds(model, flows_[flow].starts[unit]))
                    slots.starts.push_back(unit * problem_.unit_cycles);
            result.flows.push_back(std::move(slots));
        }
        return result;
    }

    std::size_t path_in(const Model& model, std::size_t flow) const
    {
        const std::vector<Literal>& paths = flows_[flow].paths;
        return static_cast<std::size_t>(
            std::ranges::find_if(paths, [&](Literal path) { return holds(model, path); }) - paths.begin());
    }

    /// On this path message `message` of every busy time arrives in time. Where this is more than it has to
    /// be it returns false: whole periods in the time that it has may have more slots than the rate takes,
    /// and starts between units could be nearer to each other.
    bool add_latency(std::size_t flow, std::size_t path, std::uint64_t message)
    {
        const GuaranteedFlow& wanted = problem_.flows[flow];
        const std::uint64_t came = message < wanted.burst_messages
                                       ? 0
                                       : (message + 1 - wanted.burst_messages) * wanted.message_cycles;
        const std::uint64_t on_the_way = cycles_without_waiting(problem_.topology, problem_.timing, wanted,
                                                                problem_.paths[flow][path].path);
        const Literal otherwise = -flows_[flow].paths[path];
        if (*wanted.latency_cycles + came < on_the_way) {
            formula_.add_clause({otherwise});
            return true;
        }
        // Units behind a start in which the message can still leave.
        const std::uint64_t units = (*wanted.latency_cycles + came - on_the_way + 1) / problem_.unit_cycles;
        const std::uint64_t periods = units / problem_.units();
        const std::uint64_t needed = (message + 1) * packets_of(wanted, problem_.timing);
        const std::uint64_t there = periods * problem_.slots_needed(flow);
        if (there >= needed)
            return true;
        for (std::uint32_t behind = 0; behind < problem_.units(); ++behind) {
            std::vector<Literal> window;
            for (std::uint32_t i = 1; i <= units % problem_.units(); ++i)
                window.push_back(flows_[flow].starts[(behind + i) % problem_.units()]);
            add_at_least(needed - there, window, otherwise);
        }
        return periods == 0 && problem_.unit_cycles == 1;
    }

private:
    struct FlowVariables {
        std::vector<Literal> starts; ///< by unit
        std::vector<Literal> paths;
    };

    void add_flow(std::size_t flow, std::vector<std::vector<Literal>>& wanted)
    {
        FlowVariables& own = flows_[flow];
        for (std::uint32_t unit = 0; unit < problem_.units(); ++unit)
            own.starts.push_back(formula_.add_variable());
        for (std::size_t path = 0; path < problem_.paths[flow].size(); ++path)
            own.paths.push_back(formula_.add_variable());
        formula_.add_clause(own.paths);
        add_at_least(problem_.slots_needed(flow), own.starts, std::nullopt);
        std::map<std::pair<std::uint32_t, std::uint32_t>, Literal> uses; ///< a link so many units later
        for (std::size_t path = 0; path < own.paths.size(); ++path)
            for (const TimedLink& link : problem_.paths[flow][path].links) {
                const auto [use, is_new] =
                    uses.try_emplace({link.link, problem_.units_after(link) % problem_.units()}, 0);
                if (is_new)
                    use->second = formula_.add_variable();
                formula_.add_clause({-own.paths[path], use->second});
            }
        for (const auto& [link, use] : uses)
            for (std::uint32_t unit = 0; unit < problem_.units(); ++unit) {
                const Literal both = formula_.add_variable();
                formula_.add_clause({-own.starts[unit], -use, both});
                for (std::uint32_t i = 0; i < problem_.units_of_slot(); ++i)
                    wanted[std::size_t{link.first} * problem_.units() +
                           (unit + link.second + i) % problem_.units()]
                        .push_back(both);
            }
    }

    /// So many of the literals hold, unless `otherwise` does: a counter as in Sinz (2005), of those that
    /// hold.
    void add_at_least(std::uint64_t least, const std::vector<Literal>& literals,
                      std::optional<Literal> otherwise)
    {
        std::vector<Literal> clause;
        if (otherwise)
            clause.push_back(*otherwise);
        if (least > literals.size()) {
            formula_.add_clause(clause);
            return;
        }
        if (least <= 1) {
            clause.insert(clause.end(), literals.begin(), literals.end());
            if (least == 1)
                formula_.add_clause(clause);
            return;
        }
        std::vector<Literal> counter; ///< [k]: more than k of those so far hold
        for (std::size_t i = 0; i < literals.size(); ++i) {
            std::vector<Literal> next;
            for (std::size_t k = 0; k < std::min<std::size_t>(least, i + 1); ++k) {
                next.push_back(formula_.add_variable());
                std::vector<Literal> before{-next[k]};
                if (k < counter.size())
                    before.push_back(counter[k]);
                if (k > 0) {
                    before.push_back(counter[k - 1]);
                    formula_.add_clause(before);
                    before.pop_back();
                }
                before.push_back(literals[i]);
                formula_.add_clause(before);
            }
            counter = std::move(next);
        }
        clause.push_back(counter[least - 1]);
        formula_.add_clause(clause);
    }

    const SlotProblem& problem_;
    Formula formula_;
    std::vector<FlowVariables> flows_;
};

/// Without the starts that nothing that is asked for needs.
void drop_superfluous(const SlotProblem& problem, SlotTable& table)
{
    for (std::size_t flow = 0; flow < table.flows.size(); ++flow)
        for (std::size_t i = table.flows[flow].starts.size(); i-- > 0;) {
            FlowSlots fewer = table.flows[flow];
            fewer.starts.erase(fewer.starts.begin() + static_cast<std::ptrdiff_t>(i));
            if (problem.suffices(flow, fewer))
                table.flows[flow] = std::move(fewer);
        }
}

std::string searched_text(const SlotProblem& problem, const SlotSearch& search)
{
    return fmt::format("{} slots, up to {} paths a flow of at most {} hops beyond minimal ones",
                       problem.slots, search.paths, search.slack);
}

} // namespace

FoundSlots exact_slots(const SlotProblem& problem, const SlotSearch& search)
{
    if (search.end.has_come())
        return {{}, {}, fmt::format("none found in time: {}", searched_text(problem, search))};
    SlotEncoding encoding(problem);
    bool is_complete = true;
    for (;;) {
        if (encoding.is_too_large())
            return {{}, {}, fmt::format("too much for an exact search: {}", searched_text(problem, search))};
        const Solution solution =
            solve(encoding.formula(), {.conflicts = search.conflicts, .end = search.end});
        if (solution.verdict == Verdict::unknown)
            return {{}, {}, fmt::format("none found in time: {}", searched_text(problem, search))};
        if (solution.verdict == Verdict::unsatisfiable)
            return {{},
                    {},
                    fmt::format("{}: {}", is_complete ? "none exists" : "none found",
                                searched_text(problem, search)),
                    is_complete};
        SlotTable table = encoding.table(solution.model);
        bool is_late = false;
        for (std::size_t flow = 0; flow < problem.flows.size(); ++flow)
            if (!problem.suffices(flow, table.flows[flow])) {
                const Contract contract = contract_of(problem.topology, problem.timing, problem.flows[flow],
                                                      table.flows[flow], problem.slots);
                is_complete =
                    encoding.add_latency(flow, encoding.path_in(solution.model, flow), contract.message) &&
                    is_complete;
                is_late = true;
            }
        if (is_late)
            continue;
        drop_superfluous(problem, table);
        return {std::move(table)};
    }
}

} // namespace nocturne
