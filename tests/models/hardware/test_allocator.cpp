// What is said of allocators alone; test_reference_network has that they grant as they are defined.
#include "models/hardware/allocator.hpp"
#include "models/hardware/payload.hpp"
#include "tests/catch.hpp"

namespace nocturne::allocator_test {

namespace {

/// All inputs want all outputs, for many cycles: how many grants there are in the last.
std::size_t grants_under_full_demand(Allocator& allocator, std::uint32_t ports)
{
    std::size_t granted = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
        for (std::uint32_t input = 0; input < ports; ++input)
            for (std::uint32_t output = 0; output < ports; ++output)
                allocator.add({input, output, output, 0});
        granted = allocator.allocate().size();
    }
    return granted;
}

} // namespace

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
