#include "models/routing/random.hpp"
#include "schedules/scatter/packing.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace nocturne::packing_test {

using namespace packing;

namespace {

/// Up to five items of up to three options on a few resources of small capacity.
Packing random_packing(std::uint64_t seed)
{
    SplitMix64 random(seed);
    std::vector<std::uint32_t> capacity(1 + random.below(4));
    for (std::uint32_t& units : capacity)
        units = static_cast<std::uint32_t>(1 + random.below(3));
    const auto resources = static_cast<std::uint32_t>(capacity.size());
    Packing packing(capacity);
    for (std::uint32_t items = random.below(6); items > 0; --items) {
        packing.add_item();
        for (std::uint32_t options = 1 + random.below(3); options > 0; --options) {
            std::vector<Resource> uses;
            for (Resource resource = 0; resource < resources; ++resource)
                uses.insert(uses.end(), random.below(capacity[resource] + 1u), resource);
            packing.add_option(uses);
        }
    }
    return packing;
}

/// Units in use, by step and resource.
using Use = std::vector<std::vector<unsigned>>;

bool fits(const Packing& packing, const Use& use)
{
    for (const auto& step : use)
        for (Resource resource = 0; resource < step.size(); ++resource)
            if (step[resource] > packing.capacity(resource))
                return false;
    return true;
}

Use no_use(const Packing& packing, std::uint32_t steps)
{
    return Use(steps, std::vector<unsigned>(packing.resource_count()));
}

bool is_valid(const Packing& packing, std::uint32_t steps, const std::vector<Placement>& placements)
{
    Use use = no_use(packing, steps);
    for (Item item = 0; item < placements.size(); ++item) {
        const auto [step, option] = placements[item];
        if (option < packing.first_option(item) || option >= packing.first_option(item + 1) || step >= steps)
            return false;
        for (const Resource resource : packing.resources(option))
            ++use[step][resource];
    }
    return placements.size() == packing.item_count() && fits(packing, use);
}

/// By trying everything.
bool can_be_packed(const Packing& packing, std::uint32_t steps)
{
    Use use = no_use(packing, steps);
    const std::function<bool(Item)> place_from = [&](Item item) {
        if (item == packing.item_count())
            return true;
        for (std::uint32_t step = 0; step < steps; ++step)
            for (Option option = packing.first_option(item); option != packing.first_option(item + 1);
                 ++option) {
                for (const Resource resource : packing.resources(option))
                    ++use[step][resource];
                if (fits(packing, use) && place_from(item + 1))
                    return true;
                for (const Resource resource : packing.resources(option))
                    --use[step][resource];
            }
        return false;
    };
    return place_from(0);
}

/// `pairs` of the players 0 .. 2n - 1, each once: a tournament in 2n - 1 rounds exists, none in fewer.
Packing tournament(unsigned players)
{
    Packing packing{std::vector<std::uint32_t>(players, 1)};
    for (Resource a = 0; a < players; ++a)
        for (Resource b = a + 1; b < players; ++b) {
            packing.add_item();
            packing.add_option(std::vector{a, b});
        }
    return packing;
}

} // namespace

TEST_CASE("tiny packings are found exactly when they exist", "[scatter][packing]")
{
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        const Packing packing = random_packing(seed);
        for (std::uint32_t steps = 1; steps <= 3; ++steps) {
            CAPTURE(seed, steps);
            const PackingResult result = pack(packing, steps, {.seed = seed, .effort = 500});
            const bool is_packed = result.unplaced == 0;
            REQUIRE(is_packed == can_be_packed(packing, steps));
            REQUIRE(result.tried <= 500);
            if (is_packed)
                REQUIRE(is_valid(packing, steps, result.placements));
            else
                REQUIRE(result.placements.empty());
        }
    }
}

TEST_CASE("a tournament without a free round is packed, one round less is hopeless", "[scatter][packing]")
{
    const unsigned players = GENERATE(4u, 10u, 16u, 70u); // 70: more than 64 rounds
    const Packing packing = tournament(players);
    const PackingResult result = pack(packing, players - 1, {.effort = 200'000});
    CHECK(is_valid(packing, players - 1, result.placements));
    const PackingResult hopeless = pack(packing, players - 2, {});
    CHECK(hopeless.tried == 0);
    CHECK(hopeless.unplaced > 0);
}

TEST_CASE("a packing stops when it is told to, or has no effort left", "[scatter][packing]")
{
    // Three items that exclude each other by twos, in a way that counting does not show.
    Packing packing{std::vector<std::uint32_t>(4, 1)};
    for (const auto& uses : {std::vector<Resource>{0, 1}, {1, 2}, {0, 2}}) {
        packing.add_item();
        packing.add_option(uses);
        packing.add_option(std::vector<Resource>{uses.front(), uses.back(), 3});
    }
    const PackingResult spent = pack(packing, 2, {.effort = 1000});
    CHECK(spent.tried == 1000);
    CHECK(spent.unplaced == 1);
    std::atomic<bool> stop = true;
    CHECK(pack(packing, 2, {.end = {.stop = &stop}}).unplaced == 3);
    CHECK(pack(packing, 2, {.end = {.deadline = std::chrono::steady_clock::now()}}).unplaced == 3);
}

} // namespace nocturne::packing_test
