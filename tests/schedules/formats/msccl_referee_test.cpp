// The referee of MSCCL's XML against an executor that runs the file.
#include "schedules/formats/tool_formats.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/msccl_executor.hpp"
#include "tests/schedules/formats/mutated_program.hpp"
#include "tests/schedules/formats/random_schedules.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <pugixml.hpp>
#include <regex>
#include <stdexcept>
#include <vector>

namespace nocturne::msccl_referee_test {

using namespace test;

namespace {

/// All with all: where a program sends is not what is judged here.
LinkNetwork complete(std::uint32_t processors)
{
    LinkNetwork network("complete", processors);
    for (NodeId a = 0; a < processors; ++a)
        for (NodeId b = a + 1; b < processors; ++b)
            network.add_links(a, b, 4, 1);
    return network;
}

/// Empty if it is valid.
std::string verdict(const std::string& xml, const LinkNetwork& network)
{
    try {
        const ForeignSchedule read = read_msccl_xml(xml, "a.xml", network);
        if (!read.violations.empty())
            return read.violations.front().text;
        for (const Violation& violation : validate(read.schedule, network))
            return fmt::format("{}: {}", to_string(violation.rule), violation.text);
        return "";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

std::string executed(const std::string& xml, std::uint64_t seed, unsigned runs)
{
    pugi::xml_document document;
    document.load_string(xml.c_str());
    const pugi::xml_node algo = document.child("algo");
    const bool is_in_place = algo.attribute("inplace").as_int() != 0;
    const bool is_out_of_place =
        algo.attribute("outofplace") ? algo.attribute("outofplace").as_int() != 0 : !is_in_place;
    if (!is_in_place && !is_out_of_place)
        return "never called";
    for (unsigned run = 0; run < runs; ++run)
        for (const bool in_place : {true, false})
            if (in_place ? is_in_place : is_out_of_place)
                if (const std::string reason = execute_msccl(xml, in_place, seed * runs + run);
                    !reason.empty())
                    return reason;
    return "";
}

std::string step(std::string_view type, std::string_view source, unsigned from, std::string_view destination,
                 unsigned to, unsigned count, bool is_waited_for = false, int depid = -1, int deps = -1)
{
    return fmt::format(R"(<step s="?" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" )"
                       R"(depid="{}" deps="{}" hasdep="{}"/>)",
                       type, source, from, destination, to, count, depid, deps, is_waited_for ? 1 : 0);
}

std::string algo(std::string_view attributes, std::string_view gpus)
{
    return fmt::format(R"(<algo name="a" {}>{}</algo>)", attributes, gpus);
}

std::string numbered_text(const std::string& xml)
{
    pugi::xml_document document;
    REQUIRE(document.load_string(xml.c_str()));
    return numbered(document);
}

/// An all-reduce round a ring, as libraries have it: sums are passed on while they are made.
std::string ring_allreduce(SplitMix64& random)
{
    const unsigned n = 2 + random.below(4), k = 1 + random.below(3);
    const bool in_place = random.below(2) == 0;
    const std::string_view out = in_place ? "i" : "o";
    std::string gpus;
    for (unsigned gpu = 0; gpu < n; ++gpu) {
        const auto block = [&](unsigned back) { return (gpu + 2 * n - back) % n * k; };
        std::string steps = step("s", "i", block(0), "i", block(0), k);
        for (unsigned hop = 1; hop + 1 < n; ++hop)
            steps += step(random.below(2) == 0 ? "rrs" : "rrcs", "i", block(hop), in_place ? "i" : "o",
                          block(hop), k);
        steps += step("rrcs", "i", block(n - 1), out, block(n - 1), k);
        for (unsigned hop = 0; hop + 2 < n; ++hop)
            steps += step("rcs", "i", block(hop), out, block(hop), k);
        steps += step("r", "i", block(n - 2), out, block(n - 2), k);
        gpus += fmt::format(R"(<gpu id="{0}" i_chunks="{1}" o_chunks="{1}" s_chunks="0">)"
                            R"(<tb id="0" send="{2}" recv="{3}" chan="0">{4}</tb></gpu>)",
                            gpu, n * k, (gpu + 1) % n, (gpu + n - 1) % n, steps);
    }
    return numbered_text(
        algo(fmt::format(
                 R"(proto="{}" nchannels="2" nchunksperloop="{}" ngpus="{}" coll="allreduce" inplace="{}")",
                 random.below(2) == 0 ? "Simple" : "LL", n * k, n, in_place ? 1 : 0),
             gpus));
}

/// All send all to one in turn, over scratch, which adds what comes: with several thread blocks.
std::string gathered_sums(SplitMix64& random)
{
    const unsigned n = 3 + random.below(2), k = 1 + random.below(2);
    std::string gpus;
    for (unsigned gpu = 0; gpu < n; ++gpu) {
        std::string blocks;
        for (unsigned peer = 0; peer < n; ++peer)
            if (peer != gpu) {
                const unsigned slot = (peer < gpu ? peer : peer - 1) * k;
                blocks +=
                    fmt::format(R"(<tb id="0" send="{0}" recv="{0}" chan="0">{1}{2}</tb>)", peer,
                                step("s", "i", peer * k, "s", 0, k), step("r", "i", 0, "s", slot, k, true));
            }
        std::string sums;
        for (unsigned other = 0; other + 1 < n; ++other) {
            const bool waits_first = random.below(3) > 0;
            if (!waits_first)
                sums += step("nop", "i", 0, "o", 0, 0, false, static_cast<int>(other), 1);
            sums += step("re", "s", other * k, "i", gpu * k, k, false, static_cast<int>(other), 1);
        }
        blocks += fmt::format(R"(<tb id="0" send="-1" recv="-1" chan="0">{}</tb>)", sums);
        gpus += fmt::format(R"(<gpu id="{}" i_chunks="{}" o_chunks="{}" s_chunks="{}">{}</gpu>)", gpu, n * k,
                            k, (n - 1) * k, blocks);
    }
    return numbered_text(algo(
        fmt::format(
            R"(proto="Simple" nchannels="1" nchunksperloop="{}" ngpus="{}" coll="reducescatter" inplace="1")",
            n * k, n),
        gpus));
}

std::string random_program(SplitMix64& random)
{
    switch (random.below(4)) {
    case 0:
        return ring_allreduce(random);
    case 1:
        return gathered_sums(random);
    default: {
        const LinkNetwork network = random_network(random);
        const Schedule schedule = random_schedule(random, network);
        const std::string xml = to_msccl_xml(
            schedule, network, schedule.collective.kind != CollectiveKind::allgather || random.below(2) == 0);
        return std::regex_replace(xml, std::regex(" (links|turn)=\"[0-9 ]*\""), ""); // of that network
    }
    }
}

/// The suite has a share of what has been run by hand: NOCTURNE_PROGRAMS=20000.
std::uint64_t programs()
{
    const char* given = std::getenv("NOCTURNE_PROGRAMS");
    return given == nullptr ? 300 : std::strtoull(given, nullptr, 10);
}

std::uint32_t gpus_of(const std::string& xml)
{
    pugi::xml_document document;
    REQUIRE(document.load_string(xml.c_str()));
    return document.child("algo").attribute("ngpus").as_uint();
}

/// A GPU with these thread blocks; all it could need is declared.
std::string gpu(unsigned id, std::string_view blocks)
{
    return fmt::format(R"(<gpu id="{}" i_chunks="4" o_chunks="4" s_chunks="2">{}</gpu>)", id, blocks);
}

std::string block(int send, int receive, std::string_view steps, unsigned channel = 0)
{
    return fmt::format(R"(<tb id="0" send="{}" recv="{}" chan="{}">{}</tb>)", send, receive, channel, steps);
}

std::string program(std::string_view coll, unsigned chunks, std::string_view gpus, bool in_place = true)
{
    std::size_t count = 0;
    for (std::size_t at = gpus.find("<gpu"); at != std::string_view::npos; at = gpus.find("<gpu", at + 1))
        ++count;
    return numbered_text(algo(
        fmt::format(R"(proto="Simple" nchannels="1" nchunksperloop="{}" ngpus="{}" coll="{}" inplace="{}")",
                    chunks, count, coll, in_place ? 1 : 0),
        gpus));
}

/// GPU 0 adds up what 1 and 2 have, and sends it to both; its thread blocks follow each other, or do not.
std::string sum_of_three(bool first_sets_flag, bool second_waits)
{
    const std::string other = block(0, 0, step("s", "i", 0, "i", 0, 1) + step("r", "i", 0, "i", 0, 1));
    const std::string first =
        step("rrc", "i", 0, "i", 0, 1, first_sets_flag) + step("s", "i", 0, "i", 0, 1, false, 1, 0);
    const std::string second =
        step("rrc", "i", 0, "i", 0, 1, true, second_waits ? 0 : -1, second_waits ? 0 : -1) +
        step("s", "i", 0, "i", 0, 1, false, second_waits ? -1 : 0, second_waits ? -1 : 0);
    return program("allreduce", 1,
                   gpu(0, block(1, 1, first) + block(2, 2, second)) + gpu(1, other) + gpu(2, other));
}

/// Each of two sends the other what it has, whole or in two, over one connection or two channels.
std::string exchange(unsigned first_sent, unsigned first_received, const std::string& sender,
                     const std::string& receiver)
{
    const auto split = [](std::string_view type, unsigned first, unsigned offset) {
        std::string steps = step(type, "i", 0, "o", offset, first);
        if (first < 2)
            steps += step(type, "i", first, "o", offset + first, 2 - first);
        return steps;
    };
    const auto own = [](unsigned offset) { return block(-1, -1, step("cpy", "i", 0, "o", offset, 2)); };
    return program(
        "allgather", 4,
        gpu(0, own(0) + block(1, -1, split("s", first_sent, 0)) + sender + block(-1, 1, split("r", 2, 2))) +
            gpu(1, own(2) + block(0, -1, split("s", 2, 2)) + block(-1, 0, split("r", first_received, 0)) +
                       receiver),
        false);
}

/// Two GPUs send each other three chunks at once before they receive.
std::string three_at_once(const std::string& attribute)
{
    const auto blocks = [](unsigned peer, unsigned own, unsigned other) {
        return block(peer, peer, step("s", "i", other, "o", own, 3) + step("r", "i", own, "o", other, 3)) +
               block(-1, -1, step("cpy", "i", own, "o", own, 3));
    };
    std::string xml = program("alltoall", 6, gpu(0, blocks(1, 0, 3)) + gpu(1, blocks(0, 3, 0)), false);
    xml = std::regex_replace(xml, std::regex("([io])_chunks=\"4\""), "$1_chunks=\"6\"");
    return xml.replace(xml.find("<algo"), 5, "<algo " + attribute);
}

/// A sum of two, and steps that do nothing.
std::string long_block(unsigned steps)
{
    const std::string sum =
        step("s", "i", 0, "s", 0, 1) + step("r", "i", 0, "s", 0, 1) + step("re", "s", 0, "i", 0, 1);
    std::string idle;
    for (unsigned more = 3; more < steps; ++more)
        idle += step("nop", "i", 0, "o", 0, 0);
    return program("allreduce", 1, gpu(0, block(1, 1, sum + idle)) + gpu(1, block(0, 0, sum)));
}

/// The program as it is called with at most so many bytes that as many chunks fit into one send.
std::string with_most_bytes(std::string xml, SplitMix64& random)
{
    constexpr std::array at_once{1, 2, 3, 80};
    const auto chunks = std::stod(xml.substr(xml.find("nchunksperloop=") + 16));
    const double most = std::ceil(chunks * (2 << 20) / at_once.at(random.below(at_once.size())));
    return xml.replace(xml.find("<algo"), 5, fmt::format("<algo maxBytes=\"{:.0f}\"", most));
}

} // namespace

TEST_CASE("each kind of fault is named, and what is none is valid", "[formats][msccl]")
{
    const auto sum_elsewhere = [](std::string_view to) {
        const std::string steps = step("s", "i", 0, "o", 0, 1) + step("rrc", "i", 0, to, 0, 1);
        return program("allreduce", 1, gpu(0, block(1, 1, steps)) + gpu(1, block(0, 0, steps)), false);
    };
    // The sums of two chunks trade places.
    const auto swapped_sums = [](unsigned first, unsigned second) {
        const std::string steps = step("s", "i", 0, "o", 0, 1) + step("s", "i", 1, "o", 1, 1) +
                                  step("rrc", "i", 0, "o", first, 1) + step("rrc", "i", 1, "o", second, 1);
        return program("allreduce", 2, gpu(0, block(1, 1, steps)) + gpu(1, block(0, 0, steps)), false);
    };
    const auto all_to_all = [](const std::string& of_0, const std::string& of_1) {
        return program("alltoall", 2,
                       gpu(0, block(1, 1, step("s", "i", 1, "o", 0, 1) + of_0)) +
                           gpu(1, block(0, 0, step("s", "i", 0, "o", 1, 1) + of_1)),
                       false);
    };
    const std::string arrive_0 = step("r", "i", 0, "o", 1, 1), arrive_1 = step("r", "i", 0, "o", 0, 1);
    const std::string own_0 = step("cpy", "i", 0, "o", 0, 1), own_1 = step("cpy", "i", 1, "o", 1, 1);
    const auto [xml, expected] = GENERATE_COPY(table<std::string, std::string>({
        {sum_of_three(true, true), ""},
        {sum_of_three(true, false), "race: "},
        {sum_of_three(false, true), "which sets no flag"},
        {exchange(2, 2, "", ""), ""},
        {exchange(1, 1, "", ""), ""},
        {exchange(1, 2, "", ""), "receives 2 chunks at once of what is sent 1 at once"},
        {exchange(2, 2, block(1, -1, ""), ""), "another thread block of GPU 0 sends to GPU 1 on channel 0"},
        {exchange(2, 2, "", block(-1, 0, "")),
         "another thread block of GPU 1 receives from GPU 0 on channel 0"},
        {exchange(2, 2, block(1, -1, "", 1), ""), "nchannels=\"1\" are declared"},
        {sum_elsewhere("o"), ""},
        {sum_elsewhere("i"), "never arrives"},
        {swapped_sums(0, 1), ""},
        {swapped_sums(1, 0), "different-chunks: "},
        {all_to_all(arrive_0 + own_0, arrive_1 + own_1), ""},
        {all_to_all(arrive_0, arrive_1 + own_1), "never arrives"},
        {all_to_all(step("s", "i", 0, "s", 0, 1) + arrive_0 + own_0,
                    arrive_1 + step("r", "i", 0, "s", 0, 1) + own_1),
         ""},
        {all_to_all(step("r", "i", 0, "i", 0, 1) + step("cpy", "i", 0, "o", 1, 1) + own_0, arrive_1 + own_1),
         "different-chunks: "},
        {all_to_all(step("s", "i", 0, "o", 1, 1) + step("s", "i", 0, "o", 1, 1) + arrive_0 + own_0,
                    step("s", "i", 0, "o", 0, 1) + step("s", "i", 0, "o", 0, 1) + arrive_1 + own_1),
         "2 sends that GPU 1 has not received fill the connection"},
        {all_to_all(step("s", "i", 0, "s", 0, 1) + arrive_0 + own_0, arrive_1 + own_1), "never received"},
        {all_to_all(arrive_0 + step("r", "i", 0, "s", 0, 1) + own_0, arrive_1 + own_1),
         "the step waits for ever: for a dependency, or for a send that does not come"},
        {three_at_once(""),
         "2 sends that GPU 1 has not received fill the connection; 1 of 3 chunks are sent at "
         "once if they are large"},
        {three_at_once("maxBytes=\"65536\""), ""},
        {three_at_once("maxBytes=\"8388608\""), "1 of 3 chunks"}, // 1.3 MiB each
        {long_block(256), ""},
        {long_block(257), "257 steps in a thread block: MSCCL's runtime takes 256"},
        {program("allreduce", 1U << 24U, gpu(0, "") + gpu(1, "")), "need 33554432 moves of a chunk"},
        {program("custom", 1, gpu(0, "") + gpu(1, "")), "unknown collective 'custom'"},
    }));
    CAPTURE(xml);
    const std::string judged = verdict(xml, complete(gpus_of(xml)));
    if (expected.empty())
        CHECK(judged.empty());
    else
        CHECK_THAT(judged, Catch::Contains(expected));
    if (expected.find("moves") == std::string::npos && expected.find("custom") == std::string::npos)
        CHECK(executed(xml, 1, 16).empty() == expected.empty());
}

TEST_CASE("programs are judged as the executor runs them", "[formats][msccl]")
{
    std::map<std::string, unsigned> reasons; // of refusals, as the executor has them
    unsigned valid = 0;
    for (std::uint64_t seed = 0; seed < programs(); ++seed) {
        SplitMix64 random(seed);
        std::string xml = random_program(random);
        if (SplitMix64 other(seed + 1'000'000); other.below(3) == 0)
            xml = with_most_bytes(std::move(xml), other);
        for (std::uint32_t times = random.below(4); times > 0; --times)
            xml = mutated(xml, random);
        const std::string judged = verdict(xml, complete(gpus_of(xml)));
        const std::string ran = executed(xml, seed, 16);
        if (judged.empty() != ran.empty()) {
            CAPTURE(seed, xml, judged, ran);
            FAIL("they differ");
        }
        valid += judged.empty();
        ++reasons[ran];
    }
    // None of them is there for nothing.
    CHECK(valid > programs() / 5);
    for (const char* reason :
         {"two thread blocks at one place at once", "waits for ever", "a wrong result", "outside a buffer",
          "nobody receives", "counts twice", "two send over a connection"})
        CHECK(reasons.contains(reason));
    for (const auto& [reason, count] : reasons)
        UNSCOPED_INFO(count << " " << reason);
    SUCCEED();
}

} // namespace nocturne::msccl_referee_test
