#include "sim/report/progress.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace nocturne::progress_test {

namespace {

constexpr std::chrono::milliseconds at_once{0};
constexpr std::chrono::milliseconds never = std::chrono::hours(1);

/// Two ends of a terminal, or of a pipe: what is written to `inside` can be read from `outside`.
struct Ends {
    int inside;
    int outside;
};

Ends open_terminal()
{
    const int outside = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(outside >= 0);
    REQUIRE(grantpt(outside) == 0);
    REQUIRE(unlockpt(outside) == 0);
    const int inside = open(ptsname(outside), O_RDWR | O_NOCTTY);
    REQUIRE(inside >= 0);
    return {inside, outside};
}

Ends open_pipe()
{
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    return {ends[1], ends[0]};
}

/// What a run of two updates shows in the end.
std::string shown(Ends ends, std::chrono::milliseconds quiet, std::chrono::milliseconds pause = never)
{
    {
        ProgressLine progress("replay", {ends.inside, quiet, pause});
        progress.update(0, 7);
        progress.update(3, 7);
    }
    // What is written to a terminal comes out some time later: all of it is there when the other end has
    // closed.
    close(ends.inside);
    std::string text;
    std::array<char, 1024> part{};
    for (ssize_t count = 0; (count = read(ends.outside, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(count));
    close(ends.outside);
    return text;
}

} // namespace

TEST_CASE("a terminal shows one line that is rewritten and erased at the end", "[report][progress]")
{
    const std::string text = shown(open_terminal(), at_once);
    CHECK(text.find("\r\x1b[Kreplay: 0 of 7 runs done") == 0);
    CHECK(text.find("\r\x1b[Kreplay: 3 of 7 runs done") != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.substr(text.size() - 4) == "\r\x1b[K");
}

TEST_CASE("a run of more than a second shows its progress", "[report][progress]")
{
    CHECK(ProgressOptions{}.quiet <= std::chrono::seconds(1));
}

TEST_CASE("a short run shows nothing", "[report][progress]")
{
    unsetenv("NOCTURNE_PROGRESS");
    CHECK(shown(open_terminal(), never, at_once).empty());
    CHECK(shown(open_pipe(), at_once, never).empty());
}

TEST_CASE("where there is no terminal each message is a line of its own", "[report][progress]")
{
    unsetenv("NOCTURNE_PROGRESS");
    const std::string text = shown(open_pipe(), never, at_once);
    CHECK(text.starts_with("replay: 0 of 7 runs done, 0 s\nreplay: 3 of 7 runs done, 0 s; about 0 s left\n"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 2);
    CHECK(text.find('\r') == std::string::npos);
    setenv("NOCTURNE_PROGRESS", "terminal", 1);
    CHECK(shown(open_pipe(), never, at_once).empty());
    CHECK_FALSE(shown(open_terminal(), at_once, never).empty());
}

TEST_CASE("work that does not say how far it is has a line as long as it takes", "[report][progress]")
{
    const Ends ends = open_terminal();
    std::array<char, 1024> part{};
    {
        const WaitingLine line("certify", {ends.inside, at_once, never});
        const ssize_t count = read(ends.outside, part.data(), part.size()); // waits for it
        CHECK(std::string(part.data(), static_cast<std::size_t>(count)).starts_with("\r\x1b[Kcertify: 0 s"));
    }
    close(ends.inside);
    close(ends.outside);
}

TEST_CASE("a duration is told in the largest unit of which there are two", "[report][progress]")
{
    CHECK(duration_text(0) == "0 s");
    CHECK(duration_text(119) == "119 s");
    CHECK(duration_text(125) == "2 min");
    CHECK(duration_text(3 * 3600) == "3 h");
    CHECK(duration_text(50 * 3600) == "2 days");
}

} // namespace nocturne::progress_test
