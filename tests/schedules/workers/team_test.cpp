#include "schedules/workers/process.hpp"
#include "schedules/workers/team.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"

#include <algorithm>
#include <csignal>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace nocturne::team_test {

using namespace nocturne::test;
using Catch::Matchers::Message;

namespace {

/// Each member remembers all that it was told, and answers with the sum of it and its own number.
Team::Member adder(std::size_t member)
{
    return [sum = member](std::span<const std::uint8_t> message) mutable {
        sum = std::accumulate(message.begin(), message.end(), sum);
        return Bytes{static_cast<std::uint8_t>(sum), static_cast<std::uint8_t>(sum >> 8)};
    };
}

std::vector<Bytes> echoes(Team& team, std::size_t bytes)
{
    std::vector<Bytes> messages(team.size());
    for (std::size_t i = 0; i < messages.size(); ++i)
        messages[i].assign(bytes + i, static_cast<std::uint8_t>(i + 1));
    CHECK((team.round(messages) == messages));
    return messages;
}

} // namespace

TEST_CASE("members remember, and answer the same whatever the number of workers", "[workers][team]")
{
    const std::size_t members = GENERATE(1U, 3U, 7U);
    const unsigned workers = GENERATE(0U, 1U, 2U, 3U, 4U, 16U);
    const auto before = open_descriptors();
    {
        Team team(members, workers, adder);
        REQUIRE(team.size() == members);
        std::vector<std::size_t> sums(members);
        std::iota(sums.begin(), sums.end(), 0);
        for (std::uint8_t round = 0; round < 50; ++round) {
            std::vector<Bytes> messages(members);
            for (std::size_t i = 0; i < members; ++i) {
                messages[i].assign((round + i) % 4,
                                   static_cast<std::uint8_t>(round * 3 + i)); // some are empty
                sums[i] += messages[i].size() * static_cast<std::uint8_t>(round * 3 + i);
            }
            const std::vector<Bytes> answers = team.round(messages);
            REQUIRE(answers.size() == members);
            for (std::size_t i = 0; i < members; ++i)
                CHECK(answers[i] ==
                      Bytes{static_cast<std::uint8_t>(sums[i]), static_cast<std::uint8_t>(sums[i] >> 8)});
        }
    }
    CHECK(open_descriptors() == before);
    CHECK_FALSE(has_children());
}

TEST_CASE("messages much larger than a socket holds go both ways at once", "[workers][team]")
{
    const unsigned workers = GENERATE(1U, 2U, 4U);
    Team team(5, workers, [](std::size_t) {
        return [](std::span<const std::uint8_t> message) { return Bytes(message.begin(), message.end()); };
    });
    echoes(team, 1'000'000);
    echoes(team, 0);
    echoes(team, 3'000'001);
    echoes(team, 10);
}

TEST_CASE("members live in processes of their own; one worker is this process", "[workers][team]")
{
    const unsigned workers = GENERATE(1U, 2U, 3U);
    const auto process = [](std::span<const std::uint8_t>) {
        const pid_t id = getpid();
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&id);
        return Bytes(bytes, bytes + sizeof id);
    };
    Team team(3, workers, [&](std::size_t) { return process; });
    const auto first = team.round(std::vector<Bytes>(3));
    CHECK(std::set<Bytes>(first.begin(), first.end()).size() == workers);
    CHECK((std::count(first.begin(), first.end(), process({})) == (workers == 1 ? 3 : 0)));
    CHECK(team.round(std::vector<Bytes>(3)) == first);
}

TEST_CASE("a member that cannot be made fails like one that cannot answer", "[workers][team]")
{
    const unsigned workers = GENERATE(1U, 2U);
    Team team(3, workers, [](std::size_t member) -> Team::Member {
        if (member == 1)
            throw std::invalid_argument("no such island");
        return adder(member);
    });
    CHECK_THROWS_MATCHES(team.round(std::vector<Bytes>(3)), std::invalid_argument, Message("no such island"));
}

TEST_CASE("a process that is killed between two rounds is missed in the next one", "[workers][team]")
{
    Team team(2, 2, [](std::size_t) {
        return [](std::span<const std::uint8_t>) {
            const std::string id = std::to_string(getpid());
            return Bytes(id.begin(), id.end());
        };
    });
    const Bytes id = team.round(std::vector<Bytes>(2))[1];
    kill(std::stoi(std::string(id.begin(), id.end())), SIGKILL);
    // A large message meets a process that does not read any more.
    CHECK_THROWS_MATCHES(team.round(std::vector<Bytes>(2, Bytes(5'000'000))), std::runtime_error,
                         Message("member 1: worker process was killed by signal 9 (Killed)"));
}

TEST_CASE("after a failure there are no more rounds, and no processes", "[workers][team]")
{
    const unsigned workers = GENERATE(1U, 2U);
    Team team(2, workers, [](std::size_t) -> Team::Member {
        return [](std::span<const std::uint8_t>) -> Bytes { throw std::runtime_error("tired"); };
    });
    CHECK_THROWS_AS(team.round(std::vector<Bytes>(2)), std::runtime_error);
    CHECK_FALSE(has_children());
    CHECK_THROWS_AS(team.round(std::vector<Bytes>(2)), std::logic_error);
}

TEST_CASE("a team ends with its members busy when an exception passes by", "[workers][team]")
{
    const SharedValues<std::uint64_t> asleep(1);
    const auto unwind = [&] {
        Team team(3, 3, [&](std::size_t) -> Team::Member {
            return [&](std::span<const std::uint8_t>) -> Bytes {
                ++asleep[0];
                sleep_for_ever();
            };
        });
        // Thrown while they sleep: by what is called while a round waits.
        team.round(std::vector<Bytes>(3), [&] {
            wait_for(asleep[0], 3);
            throw std::length_error("enough");
        });
    };
    CHECK_THROWS_AS(unwind(), std::length_error);
    CHECK_FALSE(has_children());
}

} // namespace nocturne::team_test
