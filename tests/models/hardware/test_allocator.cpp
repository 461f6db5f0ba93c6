#include "models/hardware/allocator.hpp"
#include "models/hardware/payload.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/reference_allocator.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace nocturne::allocator_test {

namespace {

using Requests = std::vector<test::RefRequest>;

Requests allocate(Allocator& allocator, const Requests& requests)
{
    for (const auto& [input, output, member, rank] : requests)
        allocator.add({input, output, member, rank});
    Requests granted;
    for (const Allocator::Request& each : allocator.allocate())
        granted.push_back({each.input, each.output, each.member, each.rank});
    return granted;
}

Requests sorted(Requests requests)
{
    std::sort(requests.begin(), requests.end(), [](const auto& a, const auto& b) {
        return std::tie(a.input, a.output) < std::tie(b.input, b.output);
    });
    return requests;
}

/// Each member of an input asks for one output, or none.
Requests random_requests(SplitMix64& random, std::uint32_t inputs, std::uint32_t outputs,
                         std::uint32_t members)
{
    Requests requests;
    const std::uint32_t one_in = 1 + random.below(5);
    for (std::uint32_t input = 0; input < inputs; ++input)
        for (std::uint32_t member = 0; member < members; ++member)
            if (random.below(one_in) == 0)
                requests.push_back({input, random.below(outputs), member, random.below(3)});
    return requests;
}

bool is_matching(const Requests& granted)
{
    std::set<std::uint32_t> inputs;
    std::set<std::uint32_t> outputs;
    return std::all_of(granted.begin(), granted.end(), [&](const auto& each) {
        return inputs.insert(each.input).second && outputs.insert(each.output).second;
    });
}

/// Could nothing be added to it?
bool is_maximal(const Requests& requests, const Requests& granted)
{
    return std::all_of(requests.begin(), requests.end(), [&](const auto& request) {
        return std::any_of(granted.begin(), granted.end(), [&](const auto& each) {
            return each.input == request.input || each.output == request.output;
        });
    });
}

/// All inputs want all outputs, for many cycles: how many grants there are in the last.
std::size_t grants_under_full_demand(Allocator& allocator, std::uint32_t ports)
{
    Requests all;
    for (std::uint32_t input = 0; input < ports; ++input)
        for (std::uint32_t output = 0; output < ports; ++output)
            all.push_back({input, output, output, 0});
    std::size_t granted = 0;
    for (int cycle = 0; cycle < 100; ++cycle)
        granted = allocate(allocator, all).size();
    return granted;
}

} // namespace

TEST_CASE("every allocator grants what its plain definition does, cycle after cycle", "[hardware][allocator]")
{
    const AllocatorKind kind = GENERATE(AllocatorKind::islip, AllocatorKind::input_first,
                                        AllocatorKind::output_first, AllocatorKind::wavefront);
    const ArbiterKind arbiter =
        GENERATE(ArbiterKind::round_robin, ArbiterKind::matrix, ArbiterKind::age, ArbiterKind::priority);
    const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
    SplitMix64 random(seed);
    const std::uint32_t inputs = 1 + random.below(6);
    const std::uint32_t outputs = 1 + random.below(6);
    const std::uint32_t members = 1 + random.below(4);
    const unsigned iterations = kind == AllocatorKind::islip ? 1 + random.below(4) : 1;
    CAPTURE(to_string(kind), to_string(arbiter), inputs, outputs, members, iterations);
    Allocator allocator(kind, arbiter, iterations, {inputs, outputs, members});
    test::ReferenceAllocator reference(kind, arbiter, iterations, {inputs, outputs, members});
    for (int cycle = 0; cycle < 100; ++cycle) {
        const Requests requests = random_requests(random, inputs, outputs, members);
        const Requests granted = allocate(allocator, requests);
        REQUIRE(is_matching(granted));
        REQUIRE(sorted(granted) == sorted(reference.allocate(requests)));
        REQUIRE(granted.empty() == requests.empty());
        // iSLIP adds a grant at least in each iteration, as long as it can.
        if (kind == AllocatorKind::wavefront || (kind == AllocatorKind::islip && iterations >= inputs))
            REQUIRE(is_maximal(requests, granted));
    }
}

TEST_CASE("under full demand the pointers of iSLIP desynchronize until every output is used, with turns that "
          "pass on after every grant they do not",
          "[hardware][allocator]")
{
    // McKeown 1999, section II: what iSLIP is better than round-robin matching for.
    const std::uint32_t ports = GENERATE(2u, 4u, 8u);
    Allocator islip(AllocatorKind::islip, ArbiterKind::round_robin, 1, {ports, ports, ports});
    CHECK(grants_under_full_demand(islip, ports) == ports);
    Allocator plain(AllocatorKind::output_first, ArbiterKind::round_robin, 1, {ports, ports, ports});
    CHECK(grants_under_full_demand(plain, ports) < ports);
}

TEST_CASE("names are read as they are printed, others are refused", "[hardware][names]")
{
    for (const std::string& name : switch_allocator_names())
        CHECK(to_string(parse_switch_allocator(name)) == name);
    for (const std::string& name : vc_allocator_names())
        CHECK(to_string(parse_vc_allocator(name)) == name);
    for (const std::string& name : arbiter_names())
        CHECK(to_string(parse_arbiter(name)) == name);
    for (const std::string& name : selection_names())
        CHECK(to_string(parse_selection(name)) == name);
    for (const char* name : {"held", "digest"})
        CHECK(to_string(parse_payload_form(name)) == name);
    CHECK_THROWS_WITH(parse_switch_allocator("rotating"), Catch::Contains("unknown switch allocator"));
    CHECK_THROWS_WITH(parse_vc_allocator("islp"), Catch::Contains("did you mean 'islip'?"));
    CHECK_THROWS_WITH(parse_arbiter("fair"), Catch::Contains("known are round_robin, matrix, age, priority"));
    CHECK_THROWS_WITH(parse_payload_form("bytes"), "unknown payload 'bytes': known are held, digest");
}

} // namespace nocturne::allocator_test
