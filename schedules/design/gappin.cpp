#include "schedules/design/gappin.hpp"

#include "models/routing/random.hpp"
#include "schedules/design/isomorphism.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne::design {
namespace {

/// A solution under construction: the links of each node.
class Chromosome {
public:
    explicit Chromosome(const Request& request) : links_of_(request.nodes) {}

    const std::vector<NodeId>& links_of(NodeId node) const { return links_of_[node]; }
    bool are_linked(NodeId a, NodeId b) const
    {
        return std::find(links_of_[a].begin(), links_of_[a].end(), b) != links_of_[a].end();
    }
    void link(NodeId a, NodeId b)
    {
        links_of_[a].push_back(b);
        links_of_[b].push_back(a);
    }
    std::vector<LinkEnds> links() const
    {
        std::vector<LinkEnds> links;
        for (NodeId a = 0; a < links_of_.size(); ++a)
            for (const NodeId b : links_of_[a])
                if (a < b)
                    links.push_back({a, b});
        std::sort(links.begin(), links.end());
        return links;
    }

private:
    std::vector<std::vector<NodeId>> links_of_;
};

struct Solution {
    Chromosome chromosome;
    std::vector<LinkEnds> links;
    std::vector<Term> terms;
    double cost = 0;
    unsigned age = 0;
    std::vector<std::uint32_t> canonical = {}; ///< once it was asked for
};

class Gappin {
public:
    Gappin(const Request& request, const Objective& objective, const GappinOptions& options)
        : request_(request), objective_(objective), options_(options), random_(options.seed)
    {
    }

    GappinResult run()
    {
        const auto begin = std::chrono::steady_clock::now();
        const auto is_over = [&] {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            return (options_.seconds > 0 && spent.count() >= options_.seconds) ||
                   (options_.stop != nullptr && *options_.stop);
        };
        GappinResult result;
        for (unsigned i = 0; i < options_.population; ++i)
            add_new([&] { return seed(); });
        for (unsigned number = 0;; ++number) {
            select_survivors();
            result.history.push_back(describe(number));
            if (number == options_.generations || is_over())
                break;
            for (Solution& solution : population_)
                ++solution.age;
            const std::size_t parents = population_.size();
            for (unsigned i = 0; i < options_.population; ++i)
                add_new([&] { return mate(parents); });
        }
        Solution& best = population_.front();
        result.design = {std::move(best.links), best.cost, std::move(best.terms)};
        return result;
    }

private:
    NodeId random_node() { return random_.below(request_.nodes); }
    template <typename List>
    auto random_of(const List& list)
    {
        return list[random_.below(static_cast<std::uint32_t>(list.size()))];
    }

    bool is_full(const Chromosome& chromosome, NodeId node) const
    {
        return chromosome.links_of(node).size() >= request_.degree(node);
    }

    bool accepts(const Chromosome& chromosome, NodeId a, NodeId b)
    {
        if (a == b || is_full(chromosome, a) || is_full(chromosome, b) ||
            request_.wire_length(a, b) > request_.longest_wire)
            return false;
        return !chromosome.are_linked(a, b) || random_.uniform() < options_.redundant_links;
    }

    /// Section 2.2. A tree from the first node on, then random links.
    Chromosome seed()
    {
        Chromosome chromosome(request_);
        std::vector<NodeId> connected{0};
        std::vector<NodeId> unconnected(request_.nodes - 1);
        std::iota(unconnected.begin(), unconnected.end(), 1);
        while (!unconnected.empty()) {
            const auto link = tree_link(chromosome, connected, unconnected);
            if (!link)
                break;
            chromosome.link(link->a, link->b);
            connected.push_back(link->b);
            unconnected.erase(std::find(unconnected.begin(), unconnected.end(), link->b));
        }
        for (NodeId node = 0; node < request_.nodes; ++node)
            fill(chromosome, node, [](NodeId) { return std::optional<NodeId>(); });
        return chromosome;
    }

    /// A random link between the two lists; nothing if none is possible.
    std::optional<LinkEnds> tree_link(const Chromosome& chromosome, const std::vector<NodeId>& connected,
                                      const std::vector<NodeId>& unconnected)
    {
        for (unsigned i = 0; i < options_.mutation_tries; ++i)
            if (const LinkEnds link{random_of(connected), random_of(unconnected)};
                accepts(chromosome, link.a, link.b))
                return link;
        std::vector<LinkEnds> possible;
        for (const NodeId a : connected)
            for (const NodeId b : unconnected)
                if (accepts(chromosome, a, b))
                    possible.push_back({a, b});
        if (possible.empty())
            return std::nullopt;
        return random_of(possible);
    }

    /// Section 2.3, with the thresholds of section 5.1.
    Chromosome mate(std::size_t parents)
    {
        const std::size_t first = random_.below(static_cast<std::uint32_t>(parents));
        std::size_t second = random_.below(static_cast<std::uint32_t>(parents - 1));
        second += second >= first ? 1 : 0;
        Chromosome child(request_);
        for (NodeId node = 0; node < request_.nodes; ++node)
            fill(child, node, [&](NodeId of) -> std::optional<NodeId> {
                const Solution& parent = population_[random_.below(2) == 0 ? first : second];
                const std::vector<NodeId>& links = parent.chromosome.links_of(of);
                if (links.empty())
                    return std::nullopt;
                return random_of(links);
            });
        return child;
    }

    /// Gives the node its remaining links; `inherit(node)` is where a link from a parent leads, if there is
    /// one.
    template <typename Inherit>
    void fill(Chromosome& chromosome, NodeId node, const Inherit& inherit)
    {
        const std::size_t missing = request_.degree(node) - chromosome.links_of(node).size();
        for (std::size_t place = 0; place < missing; ++place)
            for (unsigned tries = 0; tries < options_.inheritance_tries + options_.mutation_tries; ++tries) {
                const bool inherits =
                    tries < options_.inheritance_tries && random_.uniform() >= options_.mutation;
                const NodeId other = (inherits ? inherit(node) : std::nullopt).value_or(random_node());
                if (accepts(chromosome, node, other)) {
                    chromosome.link(node, other);
                    break;
                }
            }
    }

    template <typename Make>
    void add_new(const Make& make)
    {
        constexpr unsigned most_tries = 20;
        for (unsigned tries = 0; tries < most_tries; ++tries) {
            Solution solution{.chromosome = make(), .links = {}, .terms = {}};
            solution.links = solution.chromosome.links();
            solution.terms = terms_of({request_, solution.links}, objective_);
            solution.cost = cost_of(solution.terms);
            if (options_.duplicates == Duplicates::removed && has_duplicate(solution))
                continue;
            population_.push_back(std::move(solution));
            return;
        }
    }

    /// Canonical forms take much longer than anything else, so only solutions of one cost are compared.
    bool has_duplicate(Solution& solution)
    {
        const auto canonical = [&](Solution& of) -> const std::vector<std::uint32_t>& {
            if (of.canonical.empty())
                of.canonical = canonical_links({request_, of.links});
            return of.canonical;
        };
        return std::any_of(population_.begin(), population_.end(), [&](Solution& other) {
            return other.cost == solution.cost && canonical(other) == canonical(solution);
        });
    }

    /// The better half of the doubled generation.
    void select_survivors()
    {
        std::stable_sort(population_.begin(), population_.end(), [](const Solution& a, const Solution& b) {
            return std::pair(a.cost, a.age) < std::pair(b.cost, b.age);
        });
        if (population_.size() > options_.population)
            population_.erase(population_.begin() + options_.population, population_.end());
    }

    GappinGeneration describe(unsigned number) const
    {
        const Solution& median = population_[population_.size() / 2];
        GappinGeneration generation{.number = number,
                                    .best_cost = population_.front().cost,
                                    .median_cost = median.cost,
                                    .best_terms = population_.front().terms,
                                    .median_terms = median.terms};
        for (const Solution& solution : population_) {
            generation.mean_age += solution.age;
            generation.maximum_age = std::max(generation.maximum_age, solution.age);
        }
        generation.mean_age /= static_cast<double>(population_.size());
        return generation;
    }

    const Request& request_;
    const Objective& objective_;
    const GappinOptions& options_;
    SplitMix64 random_;
    std::vector<Solution> population_; ///< survivors in the order of their costs, then children
};

void check_options(const Request& request, const GappinOptions& options)
{
    if (request.kind != LinkKind::bidirectional)
        throw std::invalid_argument("design: gappin knows bidirectional links only");
    if (request.symmetry != 1)
        throw std::invalid_argument("design: gappin keeps no symmetry");
    if (options.population < 2)
        throw std::invalid_argument("design: gappin needs a population of 2 or more");
    const auto is_probability = [](double value) { return value >= 0 && value <= 1; };
    if (!is_probability(options.mutation) || !is_probability(options.redundant_links))
        throw std::invalid_argument("design: a probability of gappin is not from 0 to 1");
    if (options.mutation_tries == 0)
        throw std::invalid_argument("design: gappin needs at least one try of mutation");
}

} // namespace

GappinResult gappin(const Request& request, const Objective& objective, const GappinOptions& options)
{
    check_request(request);
    CostModel(request, objective);
    check_options(request, options);
    return Gappin(request, objective, options).run();
}

} // namespace nocturne::design
