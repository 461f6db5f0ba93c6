// What formulas of schedules in steps are written with: clauses of a formula that may become too large, and
// the paths that a schedule needs, one by one.
#pragma once

#include "models/routing/distances.hpp"
#include "schedules/certificate/cnf_formula.hpp"
#include "schedules/problem/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nocturne {

using Literals = std::vector<Literal>;
using ChannelPath = std::vector<ChannelId>;

struct TooLarge {};

/// How much may be listed or written before a formula is too large.
class Allowance {
public:
    explicit Allowance(std::uint64_t most) : left_(most) {}
    void spend(std::uint64_t some)
    {
        if (some > left_)
            throw TooLarge();
        left_ -= some;
    }

private:
    std::uint64_t left_;
};

/// Throws TooLarge as soon as the formula has more literals than it may.
class ClauseWriter {
public:
    explicit ClauseWriter(std::uint64_t most_literals) : left_(most_literals) {}

    Literal variable() { return formula_.add_variable(); }
    /// Literals that the formula may still get.
    const Allowance& left() const { return left_; }

    void clause(const Literals& literals)
    {
        left_.spend(literals.size());
        formula_.add_clause(literals);
    }

    /// If `condition` holds, so does one of `any_of`.
    void implies(Literal condition, Literals any_of)
    {
        any_of.push_back(-condition);
        clause(any_of);
    }

    /// At most `most` of the literals hold. counted[k]: at least k + 1 of the literals so far.
    void at_most(unsigned most, const Literals& literals)
    {
        if (literals.size() <= most)
            return;
        Literals counted;
        for (const Literal literal : literals) {
            Literals next;
            for (unsigned k = 0; k < most && k <= counted.size(); ++k) {
                next.push_back(variable());
                if (k < counted.size())
                    clause({-counted[k], next[k]});
                clause(k == 0 ? Literals{-literal, next[k]} : Literals{-literal, -counted[k - 1], next[k]});
            }
            if (counted.size() == most)
                clause({-literal, -counted[most - 1]});
            counted = std::move(next);
        }
    }

    Formula take() && { return std::move(formula_); }

private:
    Allowance left_;
    Formula formula_;
};

/// All paths from router to router that visit no router twice and have at most `hops` channels. A schedule
/// needs no others: what lies between two visits of a router can be cut out of a path.
class Routes {
public:
    /// Each look at a router is spent of `looks`: where a slack is large, listing takes longer than all else.
    Routes(const Topology& topology, RouterId destination, Allowance& looks)
        : topology_(topology), destination_(destination), looks_(looks),
          hops_to_go_(distances_to(topology, destination)), visited_(topology.router_count())
    {
    }

    std::uint32_t distance(RouterId from) const { return hops_to_go_[from]; }

    template <typename Use>
    void each(RouterId from, std::size_t hops, const Use& use)
    {
        looks_.spend(1);
        if (from == destination_) {
            use(route_);
            return;
        }
        visited_[from] = true;
        for (const ChannelId channel : topology_.channels_from(from)) {
            const RouterId to = topology_.channel(channel).target;
            if (visited_[to] || hops_to_go_[to] == unreachable || hops_to_go_[to] + 1 > hops)
                continue;
            route_.push_back(channel);
            each(to, hops - 1, use);
            route_.pop_back();
        }
        visited_[from] = false;
    }

private:
    const Topology& topology_;
    RouterId destination_;
    Allowance& looks_;
    std::vector<std::uint32_t> hops_to_go_;
    std::vector<bool> visited_;
    ChannelPath route_;
};

/// What the formulas of schedules in steps share.
class StepsFormula {
protected:
    /// What happens in one step, as far as channels and ports ask.
    struct Use {
        std::vector<Literals> of_channel; ///< by channel: the transfers that may use it
        std::vector<Literals> sends;      ///< by processor
        std::vector<Literals> receives;   ///< by processor
    };

    StepsFormula(const Problem& problem, unsigned steps, std::uint64_t most_literals)
        : problem_(problem), topology_(problem.topology), steps_(steps), writer_(most_literals),
          looks_(most_literals), processors_(static_cast<ProcessorId>(problem.topology.processor_count()))
    {
    }

    /// The first variables: so many for the time before each step, and for the end.
    void add_variables(std::uint64_t each_time)
    {
        Allowance variables = writer_.left(); // each is in a literal at least
        for (unsigned t = 0; t <= steps_; ++t) {
            variables.spend(each_time);
            for (std::uint64_t i = 0; i < each_time; ++i)
                writer_.variable();
        }
    }

    Use no_use() const
    {
        return {std::vector<Literals>(topology_.channel_count()), std::vector<Literals>(processors_),
                std::vector<Literals>(processors_)};
    }

    /// A new variable for a transfer of something over the route.
    Literal transfer(ProcessorId from, ProcessorId to, const ChannelPath& route, Use& use)
    {
        looks_.spend(route.size());
        const Literal sent = writer_.variable();
        use.sends[from].push_back(sent);
        use.receives[to].push_back(sent);
        for (const ChannelId channel : route)
            use.of_channel[channel].push_back(sent);
        return sent;
    }

    void channels_serve_one(const Use& use)
    {
        // A channel serves one transfer a step.
        for (const Literals& transfers : use.of_channel)
            at_most(1, transfers);
    }

    void ports_suffice(ProcessorId p, const Use& use)
    {
        // A processor sends and receives as many messages a step as it has ports.
        at_most(send_ports(topology_, p, problem_.ports), use.sends[p]);
        at_most(receive_ports(topology_, p, problem_.ports), use.receives[p]);
    }

    void clause(const Literals& literals) { writer_.clause(literals); }
    void implies(Literal condition, Literals any_of) { writer_.implies(condition, std::move(any_of)); }
    void at_most(unsigned most, const Literals& literals) { writer_.at_most(most, literals); }

    const Problem& problem_;
    const Topology& topology_;
    const unsigned steps_;
    ClauseWriter writer_;
    Allowance looks_; ///< that listing paths may still take
    const ProcessorId processors_;
};

} // namespace nocturne
