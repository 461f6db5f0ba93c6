// contract as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

namespace nocturne::contract_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string flow = "source=00,destination=33,mbytes_per_s=200,message_bytes=96";
const std::string tight = "source=03,destination=30,mbytes_per_s=40,latency_ns=300,burst_messages=2";

} // namespace

TEST_CASE("a contract is found, written, read again and kept in simulation", "[cli][contract]")
{
    const TemporaryFolder folder;
    const json found =
        nocturne_json({"contract", "mesh:4x4", "--flow", flow, "--flow", tight, "--slots", "8", "-o",
                       folder / "slots.json", "--csv", folder / "contracts.csv", "--json"});
    CHECK(found["result"] == "contracts");
    CHECK(found["slots"] == 8);
    CHECK(found["slot_cycles"] == 5);
    CHECK(found["period_cycles"] == 40);
    CHECK(found["check"].is_null());
    REQUIRE(found["contracts"].size() == 2);
    const json& first = found["contracts"][0];
    CHECK(first["source"] == "00");
    CHECK(first["mbytes_per_s"] == 200.0);
    CHECK(first["message_cycles"] == 240); // 96 bytes in 480 ns
    CHECK(first["hops"] == 6);
    CHECK(first["path"].size() == 7);
    CHECK(first["slots"] == first["start_cycles"].size());
    CHECK(first["latency_ns"] == 2 * first["latency_cycles"].get<double>());
    CHECK(first["seen_latency_cycles"].is_null());
    const json& second = found["contracts"][1];
    CHECK(second["asked_latency_cycles"] == 150);
    CHECK(second["latency_cycles"] <= 150);
    CHECK_THAT(content_of(folder / "contracts.csv"),
               Contains("contracts_latency_cycles") || Contains("latency_cycles"));

    const json checked = nocturne_json(
        {"contract", "mesh:4x4", "--table", folder / "slots.json", "--check", "15000", "--json"});
    CHECK(checked["engine"].is_null());
    CHECK(checked["check"]["violations"] == 0);
    CHECK(checked["check"]["late_packets"] == 0);
    CHECK(checked["check"]["best_effort_rate"] > 0.2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(checked["contracts"][i]["latency_cycles"] == found["contracts"][i]["latency_cycles"]);
        CHECK(checked["contracts"][i]["seen_latency_cycles"] == found["contracts"][i]["latency_cycles"]);
        CHECK(checked["contracts"][i]["start_cycles"] == found["contracts"][i]["start_cycles"]);
    }
    CHECK(nocturne_json({"contract", "mesh:4x4", "--table", folder / "slots.json", "--check", "15000",
                         "--json"})["contracts"] == checked["contracts"]);
}

} // namespace nocturne::contract_command_test
