#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/rank_programs.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <iterator>
#include <protozero/pbf_writer.hpp>

namespace nocturne::chakra_test {

using Catch::Contains;
using Kind = RankPrograms::Kind;

namespace {

std::string delimited(const std::string& message)
{
    std::string text;
    protozero::write_varint(std::back_inserter(text), message.size());
    return text + message;
}

const std::string metadata = delimited("\x0a\x05\x30.0.4");

struct Numbers {
    std::int64_t source = -1, destination = -1, size = -1, tag = 0;
};

std::string node(std::uint64_t id, std::int32_t type, const std::vector<std::uint64_t>& after = {},
                 std::uint64_t duration = 0, const Numbers& numbers = {}, bool is_cpu = false)
{
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_uint64(1, id);
    writer.add_string(2, "name");
    writer.add_enum(3, type);
    writer.add_packed_uint64(5, after.begin(), after.end());
    writer.add_uint64(7, duration);
    const auto attribute = [&](const char* name, std::int64_t value) {
        protozero::pbf_writer of(writer, 10);
        of.add_string(1, name);
        of.add_int64(9, value);
    };
    if (numbers.source >= 0)
        attribute("comm_src", numbers.source);
    if (numbers.destination >= 0)
        attribute("comm_dst", numbers.destination);
    if (numbers.size >= 0) {
        attribute("comm_size", numbers.size);
        attribute("comm_tag", numbers.tag);
    }
    if (is_cpu) {
        protozero::pbf_writer of(writer, 10);
        of.add_string(1, "is_cpu_op");
        of.add_bool(27, true);
    }
    return delimited(message);
}

} // namespace

TEST_CASE("traces of Chakra are read, a file a rank", "[traffic][chakra]")
{
    const test::TemporaryFolder folder;
    const std::string first = folder.file(
        "a.0.et", metadata + node(7, 4, {9}, 12) + node(9, 4, {}, 3, {}, true) +
                      node(11, 5, {7}, 0, {.source = 0, .destination = 1, .size = 4096, .tag = 5}));
    folder.file("a.1.et",
                metadata + node(0, 6, {}, 0, {.source = 0, .destination = 1, .size = 4096, .tag = 5}));
    const InputLog log;
    const auto programs = read_programs(first);
    REQUIRE(programs);
    CHECK(programs->ranks == 2);
    const auto& operations = programs->operations;
    REQUIRE(operations.size() == 4);
    CHECK(operations[0].ns == 12'000);
    CHECK(operations[0].after == std::vector<std::uint32_t>{1});
    CHECK(operations[0].cpu != operations[1].cpu);
    CHECK(operations[2].kind == Kind::send);
    CHECK(operations[2].peer == 1);
    CHECK(operations[2].bytes == 4096);
    CHECK(operations[3].kind == Kind::receive);
    CHECK(operations[3].rank == 1);
    CHECK(operations[3].peer == 0);
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks()[0], Contains("start times, tensors"));
    CHECK(!read_programs(folder / "a.1.et"));
}

TEST_CASE("what is no trace of Chakra is refused with its node", "[traffic][chakra]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:1x2");
    const auto error = [&](const std::string& nodes) {
        const std::string path = folder.file("x.0.et", metadata + nodes);
        try {
            check_programs(read_programs(path).value(), mesh);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(error("").empty());
    CHECK_THAT(error(node(0, 7)), Contains("x.0.et: node 1: a collective"));
    CHECK_THAT(error(node(0, 4) + node(0, 4)), Contains("node 2: identifier 0 twice"));
    CHECK_THAT(error(node(0, 4, {3})), Contains("node 1: it depends on 3"));
    CHECK_THAT(error(node(0, 5, {}, 0, {.size = 4})), Contains("node 1: comm_dst -1; there are 1 ranks"));
    CHECK_THAT(error(node(0, 5, {}, 0, {.destination = 0})), Contains("without comm_size"));
    CHECK_THAT(error(node(0, 4, {0})),
               Contains("x.0.et: node 1: rank 0 node 1 (computation) waits for itself"));
    CHECK_THAT(error(node(0, 5, {}, 0, {.destination = 0, .size = 4})),
               Contains("x.0.et: node 1: rank 0 sends 1 message with tag 0 to rank 0, which receives 0"));
    CHECK_THAT(error(node(0, 4).substr(0, 6)), Contains("ends in the middle"));
    CHECK_THAT(error("\x02\xff\xff"), Contains("no node of Chakra"));
    CHECK_THAT(error("\xff"), Contains("no node of Chakra"));
    folder.file("x.1.et", metadata);
    folder.file("x.2.et", metadata);
    CHECK_THAT(error(""), Contains("x.2.et: 3 ranks for the 2 processors"));
}

} // namespace nocturne::chakra_test
