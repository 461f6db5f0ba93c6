// Files of netrace, written here by the layout of its header and packets.
#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/trace.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <bit>
#include <bzlib.h>
#include <string>
#include <vector>

namespace nocturne::netrace_test {

using Catch::Contains;

namespace {

std::string little_endian(std::uint64_t number, unsigned bytes)
{
    std::string text;
    for (unsigned i = 0; i < bytes; ++i)
        text += static_cast<char>(number >> 8 * i & 0xff);
    return text;
}

std::string header(unsigned nodes, std::uint64_t packets, float version = 1, const std::string& notes = "",
                   unsigned regions = 0)
{
    std::string name = "example";
    name.resize(30);
    std::string text =
        little_endian(0x484A5455, 4) + little_endian(std::bit_cast<std::uint32_t>(version), 4) + name +
        little_endian(nodes, 1) + std::string(1, '\0') + little_endian(1000, 8) + little_endian(packets, 8) +
        little_endian(notes.size(), 4) + little_endian(regions, 4) + std::string(8, '\0');
    REQUIRE(text.size() == 72);
    return text + notes + std::string(std::size_t{24} * regions, '\0');
}

std::string packet(std::uint64_t cycle, unsigned id, unsigned type, unsigned source, unsigned destination,
                   const std::vector<unsigned>& followers = {})
{
    std::string text = little_endian(cycle, 8) + little_endian(id, 4) + little_endian(0xabcd, 4) +
                       little_endian(type, 1) + little_endian(source, 1) + little_endian(destination, 1) +
                       little_endian(0x12, 1) + little_endian(followers.size(), 1);
    for (const unsigned follower : followers)
        text += little_endian(follower, 4);
    return text;
}

std::string compressed(std::string text)
{
    std::string out(text.size() + text.size() / 100 + 600, '\0');
    auto size = static_cast<unsigned>(out.size());
    REQUIRE(BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()), 9, 0,
                                     0) == BZ_OK);
    out.resize(size);
    return out;
}

} // namespace

TEST_CASE("packets of netrace have their cycles, sizes and what they depend on", "[traffic][netrace]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:4x4");
    // 7 and 9 wait for the first packet, 9 for the second as well; 1 is a request, 2 an answer with data.
    const std::string text = header(16, 4, 1, "notes", 2) + packet(10, 3, 1, 0, 5, {7, 9}) +
                             packet(12, 5, 6, 2, 15, {9}) + packet(40, 7, 2, 5, 0) + packet(41, 9, 30, 15, 0);
    const std::vector<TraceMessage> expected{
        {10, 0, 5, 8, {}, 0}, {12, 2, 15, 72, {}, 0}, {0, 5, 0, 72, {0}, 40}, {0, 15, 0, 72, {0, 1}, 41}};
    const InputLog log;
    CHECK(read_trace(mesh, folder.file("plain.tra", text)) == expected);
    CHECK(read_trace(mesh, folder.file("packed.tra.bz2", compressed(text))) == expected);
    REQUIRE(log.remarks().size() == 2);
    CHECK_THAT(log.remarks().front(), Contains("plain.tra: addresses"));
    // Two streams one behind the other are one file.
    CHECK(read_trace(mesh, folder.file("two.tra.bz2", compressed(text.substr(0, 100)) +
                                                          compressed(text.substr(100)))) == expected);
}

TEST_CASE("a CSV trace may be compressed", "[traffic][netrace]")
{
    const test::TemporaryFolder folder;
    const Topology ring = make_topology("ring:4");
    std::string text = "cycle,source,destination,bytes,after\n";
    for (int i = 0; i < 30'000; ++i)
        text += std::to_string(i) + ",0,2,8,\n";
    CHECK(read_trace(ring, folder.file("a.csv", text)) ==
          read_trace(ring, folder.file("a.csv.bz2", compressed(text))));
}

TEST_CASE("what is wrong with a file of netrace is said in one line", "[traffic][netrace]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:2x2");
    const auto refused = [&](const std::string& text, const std::string& part) {
        CHECK_THROWS_WITH(read_trace(mesh, folder.file("bad.tra", text)),
                          Contains("bad.tra") && Contains(part));
    };
    refused(header(4, 1).substr(0, 40), "ends in the middle of the header");
    refused(header(4, 1, 2), "netrace version 2; 1.0 is read");
    refused(header(16, 1), "16 nodes for the 4 processors");
    refused(header(4, 1, 1, "", 101), "101 regions");
    refused(header(4, 1), "ends after 0 of 1 packets");
    refused(header(4, 1) + packet(1, 1, 1, 0, 1).substr(0, 20), "ends in the middle of a packet");
    refused(header(4, 1) + packet(1, 1, 1, 0, 1, {2}).substr(0, 22), "ends in the middle of a packet");
    refused(header(4, 1) + packet(1, 1, 7, 0, 1), "packet 0: type 7 has no size");
    refused(header(4, 1) + packet(1, 1, 31, 0, 1), "packet 0: type 31");
    refused(header(4, 1) + packet(1, 1, 1, 0, 4), "from node 0 to node 4");
    refused(header(4, 1) + packet(1, 1, 1, 0, 1, {1}), "packet 0: depends on itself");
    const std::string packed = compressed(header(4, 1) + packet(1, 1, 1, 0, 1));
    refused(packed.substr(0, packed.size() - 5), "bzip2 file ends in the middle");
    std::string damaged = packed;
    damaged[packed.size() / 2] ^= 0x55;
    refused(damaged, "bzip2 file is damaged");
}

} // namespace nocturne::netrace_test
