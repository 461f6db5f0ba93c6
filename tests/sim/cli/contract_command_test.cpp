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

TEST_CASE("contract refuses what it cannot promise with one line", "[cli][contract]")
{
    const TemporaryFolder folder;
    const auto refusal = [](Arguments arguments) {
        arguments.insert(arguments.begin(), "contract");
        const Outcome outcome = run_nocturne(arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        return outcome.err;
    };
    CHECK_THAT(refusal({"mesh:4x4"}), Contains("no flow: --flow, --flows or --table"));
    CHECK_THAT(refusal({"--flow", flow}), Contains("topology is missing"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", "00->33"}), Contains("--flow") && Contains("NAME=VALUE"));
    CHECK_THAT(refusal({"mesh:2x2", "--flow", flow}), Contains("mesh:2x2 has no processor '33'"));
    const std::string much = "source=00,destination=33,mbytes_per_s=1000,message_bytes=96";
    const std::string other = "source=01,destination=33,mbytes_per_s=1000,message_bytes=96";
    CHECK_THAT(refusal({"mesh:4x4", "--flow", much, "--flow", other}),
               Contains("33->P33 is asked for ") && Contains(" of 256 by 2 flows"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow + ",latency_ns=100"}), Contains("a latency of 50 cycles"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--arbiter", "age"}), Contains("--arbiter priority"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--buffer-flits", "5"}), Contains("--buffer-flits 0"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--flit-bytes", "4", "--vcs", "1"}),
               Contains("--vcs 1: the routing needs 2"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--check", "100", "--background-routing", "adaptive"}),
               Contains("adaptive is decided by the routers"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--check", "100", "--background", "3"}),
               Contains("it injects from 0 to 1"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--background", "0.1"}), Contains("--check"));
    CHECK_THAT(refusal({"mesh:4x4", "--flow", flow, "--seed", "3"}), Contains("--seed: takes something"));
    CHECK_THAT(refusal({"mesh:4x4", "--flows", folder / "none.csv"}), Contains("none.csv: cannot read"));
    const std::string narrow =
        folder.file("narrow.anynet.json", R"({"format": "nocturne-topology", "version": 1, "name": "narrow",
            "default_ports": "1", "routers": [{"name": "a"}, {"name": "b"}],
            "processors": [{"name": "a", "injection": 0, "ejection": 0},
                           {"name": "b", "injection": 1, "ejection": 1}],
            "channels": [{"source": 0, "target": 1, "width_bytes": 2}, {"source": 1, "target": 0}]})");
    CHECK_THAT(refusal({narrow, "--flow", "source=b,destination=a,mbytes_per_s=10"}),
               Contains("is narrower than a flit"));
}

TEST_CASE("a slot table that does not keep what it says is refused", "[cli][contract]")
{
    const TemporaryFolder folder;
    nocturne_json({"contract", "mesh:4x4", "--flow", flow, "--flow", tight, "--slots", "8", "-o",
                   folder / "slots.json", "--json"});
    json table = json::parse(content_of(folder / "slots.json"));
    const auto refusal = [&](const std::vector<std::string>& more = {}) {
        Arguments arguments{"contract", "mesh:4x4", "--table", folder.file("other.json", table.dump()),
                            "--check",  "1000"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_nocturne(arguments);
        CHECK(outcome.status == 2);
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        return outcome.err;
    };
    CHECK_THAT(refusal({"--slots", "4"}), Contains("--slots: takes flows for which slots are searched"));
    CHECK_THAT(refusal({"--router-stages", "2,1,1,1", "--buffer-flits", "0"}),
               Contains("these routers need 6"));
    const json good = table;
    table["flows"][1] = table["flows"][0];
    CHECK_THAT(refusal(), Contains("other.json: flow 00 to 33: its slot from cycle") && Contains("more)"));
    table = good;
    table["flows"][0]["message_cycles"] = 60;
    table["flows"][0]["starts"] = {0};
    CHECK_THAT(refusal(), Contains("1 slots; its rate takes 6"));
    table = good;
    table["flows"][1]["latency_cycles"] = 40;
    CHECK_THAT(refusal(), Contains("40 are asked for"));
    table = good;
    table["flows"][1]["path"].erase(0);
    CHECK_THAT(refusal(), Contains("its path does not lead there"));
}

} // namespace nocturne::contract_command_test
