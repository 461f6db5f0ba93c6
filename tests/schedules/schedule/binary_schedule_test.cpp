// Binary schedule files: the same schedules as in JSON, one file for each, and nothing else is taken for one.
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/binary_schedule.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <zlib.h>

namespace nocturne::binary_schedule_test {

using namespace nocturne::test;
using Catch::Contains;
using Json = nlohmann::ordered_json;

namespace {

const std::string file_name = "f.nsched";
constexpr std::size_t checksum_size = 4;

std::string bytes_of(const Schedule& schedule, const Topology& topology, const Json& claims = Json::object())
{
    std::string bytes;
    write_binary_schedule(schedule, topology, claims, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

LoadedSchedule from_bytes(const std::string& bytes, std::size_t largest_piece = 1 << 20)
{
    std::size_t at = 0;
    const ByteSource source = [&](std::span<char> piece) {
        const std::size_t size = std::min({piece.size(), bytes.size() - at, largest_piece});
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, piece.begin());
        at += size;
        return size;
    };
    return read_binary_schedule(source, file_name);
}

/// With the checksum that belongs to the bytes before.
std::string sealed(std::string bytes)
{
    bytes.resize(bytes.size() - checksum_size);
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(sum >> shift & 0xff);
    return bytes;
}

std::string error_in(const std::string& bytes)
{
    try {
        from_bytes(bytes);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "no error";
}

bool is_one_line_on_the_file(const std::string& error)
{
    return error.starts_with(file_name + ":") && error.find('\n') == std::string::npos;
}

/// A transfer of ring:4's OAB: 0 sends to 1, one hop. The bytes behind the head are steps, transfers, source,
/// destination, form, hop and the checksum.
std::string one_transfer()
{
    const Topology ring = make_topology("ring:4");
    return bytes_of({"",
                     "",
                     "ring:4",
                     broadcast({4}, 0),
                     one_port,
                     Switching::wormhole,
                     {{{0, 0, 1, Path{ring.channels_from(0)[0]}}}}},
                    ring);
}

/// That file with one byte, counted from the last before the checksum, replaced.
std::string one_transfer_with(std::size_t from_behind, char byte)
{
    std::string bytes = one_transfer();
    bytes[bytes.size() - checksum_size - 1 - from_behind] = byte;
    return sealed(bytes);
}

} // namespace

TEST_CASE("schedules come back from their bytes as they were", "[schedule][binary]")
{
    const std::size_t piece = GENERATE(1u, 7u, 1u << 20);
    std::vector<Example> examples = valid_examples();
    for (unsigned seed = 0; seed < test::tries(300, 4); ++seed)
        examples.push_back(random_schedule(seed));
    for (const auto& [schedule, topology] : examples) {
        const std::string bytes = bytes_of(schedule, topology);
        const LoadedSchedule loaded = from_bytes(bytes, piece);
        CHECK(loaded.schedule.steps == schedule.steps);
        CHECK(loaded.schedule.collective == schedule.collective);
        const std::string json = to_json_text(loaded.schedule, loaded.topology, loaded.claims);
        CHECK(json == to_json_text(schedule, topology));
        const LoadedSchedule text = parse_schedule_file(json, "f.json");
        REQUIRE(bytes_of(text.schedule, text.topology, text.claims) == bytes);
    }
}

TEST_CASE("files convert to and fro by their ending, claims included, to the same bytes",
          "[schedule][binary][files]")
{
    const TemporaryFolder folder;
    const auto [schedule, topology] = printed("octagon8_aas.json");
    const Json claims{{"lower_bound", {{"steps", 3}, {"kind", "flow"}}},
                      {"made_by", {{"b", 1.5}, {"a", "x"}}}};
    save_schedule(folder / "a.nsched", schedule, topology, claims);
    const LoadedSchedule binary = load_schedule(folder / "a.nsched");
    CHECK(binary.claims == claims);
    save_schedule(folder / "b.json", binary.schedule, binary.topology, binary.claims);
    const LoadedSchedule text = load_schedule(folder / "b.json");
    save_schedule(folder / "c.nsched", text.schedule, text.topology, text.claims);
    CHECK(read_file(folder / "a.nsched") == read_file(folder / "c.nsched"));
    CHECK(read_file(folder / "a.nsched").size() < read_file(folder / "b.json").size() / 4);
    CHECK(read_file(folder / "b.json") == to_json_text(schedule, topology, claims));
}

TEST_CASE("a schedule larger than the pieces in which it is written comes back", "[schedule][binary]")
{
    Schedule schedule{"", "", "ring:4", broadcast({4}, 0), one_port, Switching::wormhole, {}};
    schedule.steps.assign(3, Step(100'000, Transfer{0, 0, 1, Path{0, no_channel, 77}}));
    const Topology ring = make_topology("ring:4");
    std::size_t pieces = 0;
    std::string bytes;
    write_binary_schedule(schedule, ring, Json::object(), [&](std::string_view piece) {
        bytes += piece;
        ++pieces;
    });
    CHECK(pieces > 3);
    CHECK(from_bytes(bytes, 100'003).schedule == schedule);
}

TEST_CASE("a file that was cut or changed anywhere is refused in one line", "[schedule][binary][fuzz]")
{
    const auto [schedule, topology] = printed("octagon8_aas.json");
    const std::string bytes = bytes_of(schedule, topology);
    REQUIRE(error_in(bytes) == "no error");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        INFO("first " << size << " bytes");
        REQUIRE(is_one_line_on_the_file(error_in(bytes.substr(0, size))));
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
        INFO("byte " << at);
        REQUIRE(is_one_line_on_the_file(error_in(changed)));
    }
    CHECK_THAT(error_in(bytes + "x"), Contains("data after the end"));
}

TEST_CASE("wrong bytes under a right checksum are refused, or are the one file of another schedule",
          "[schedule][binary][fuzz]")
{
    const bool has_relays = GENERATE(false, true);
    const auto [schedule, topology] = has_relays ? rotation_broadcast(5) : printed("octagon8_aas.json");
    const std::string bytes = bytes_of(schedule, topology);
    const std::size_t head = bytes.find("\"switching\"");
    unsigned taken = 0;
    for (unsigned seed = 0; seed < test::tries(1500, 5); ++seed) {
        Random random(seed);
        std::string changed = bytes;
        for (auto changes = 1 + below(random, 2); changes > 0; --changes) {
            const std::size_t at = head + below(random, changed.size() - head);
            if (seed % 3 == 0)
                changed[at] = static_cast<char>(below(random, 256));
            else if (seed % 3 == 1)
                changed.insert(at, 1, static_cast<char>(below(random, 256)));
            else
                changed.erase(at, 1);
        }
        changed = sealed(changed);
        INFO("seed " << seed);
        try {
            const LoadedSchedule loaded = from_bytes(changed);
            REQUIRE(bytes_of(loaded.schedule, loaded.topology, loaded.claims) == changed);
            ++taken;
        } catch (const std::runtime_error& error) {
            REQUIRE(is_one_line_on_the_file(error.what()));
        }
    }
    CHECK(taken >= test::tries(11, 11));
}

TEST_CASE("errors in binary schedules name the byte and the reason", "[schedule][binary]")
{
    CHECK(error_in("") == "f.nsched: this is no binary schedule: it does not begin as one");
    CHECK_THAT(error_in("{\"format\""), Contains("no binary schedule"));
    REQUIRE(error_in(one_transfer_with(0, 1)) == "no error");
    CHECK_THAT(error_in(one_transfer_with(0, 9)), Contains("router 0 has 2 channels out of it"));
    CHECK_THAT(error_in(one_transfer_with(1, 4)), Contains("hops without a path"));
    CHECK_THAT(error_in(one_transfer_with(2, 5)), Contains("processor 5 does not exist: there are 4"));
    CHECK_THAT(error_in(one_transfer_with(3, 7)), Contains("processor 7 does not exist: there are 4"));
    CHECK_THAT(error_in(one_transfer_with(3, 2)), Contains("a message is named where it is implied"));
    CHECK_THAT(error_in(one_transfer_with(5, 2)), Contains("ends too early"));
    std::string layout = one_transfer();
    layout[8] = 3;
    CHECK_THAT(error_in(sealed(layout)), Contains("byte 9: layout 3: this program reads layouts 1 and 2"));
    std::string head = one_transfer();
    head.replace(head.find("ring:4"), 6, "ring:x");
    CHECK_THAT(error_in(sealed(head)), Contains("f.nsched: /topology: "));
    std::string member = one_transfer();
    member.replace(member.find("\"ports\""), 7, "\"parts\"");
    CHECK_THAT(error_in(sealed(member)), Contains("f.nsched: head:1:"));
}

} // namespace nocturne::binary_schedule_test
