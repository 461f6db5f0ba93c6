#include "schedules/ranks/rank_transport.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/handed_out.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::rank_transport_test {

using namespace std::chrono_literals;
using test::bytes, test::text;

namespace {

Bytes work(std::span<const std::uint8_t> job)
{
    while (text(job) == "for ever")
        pause();
    usleep(2000);
    return bytes("done: " + text(job));
}

/// Short enough for a test; a rank that is slower than that is given up, and its jobs have one result anyhow.
constexpr SignsOfLife signs{20ms, 2s};

constexpr int ended_alone = 4;

/// Of so many jobs that are their numbers.
std::map<std::uint64_t, JobResult> results_of(const JobTransport& transport, std::uint64_t count)
{
    std::vector<std::string> numbers;
    for (std::uint64_t id = 0; id < count; ++id)
        numbers.push_back(std::to_string(id));
    return test::results_of(transport, numbers);
}

void send_packet(int socket, std::span<const std::uint8_t> content)
{
    // To a rank that is dead: MPI does not notice either.
    [[maybe_unused]] const ssize_t count = ::send(socket, content.data(), content.size(), MSG_NOSIGNAL);
}

std::optional<Bytes> receive_packet(int socket)
{
    Bytes content(65536);
    const ssize_t count = recv(socket, content.data(), content.size(), MSG_DONTWAIT);
    if (count <= 0)
        return std::nullopt;
    content.resize(static_cast<std::size_t>(count));
    return content;
}

/// Ranks as MPI would make them, but for the messages, which go through sockets: rank 0 is this process, the
/// others are forks of it, with these workers.
class Ranks {
public:
    explicit Ranks(const std::vector<unsigned>& workers)
    {
        for (std::uint32_t rank = 1; rank <= workers.size(); ++rank) {
            std::array<int, 2> ends{};
            REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
            const pid_t process = fork();
            if (process == 0)
                live(rank, ends[1], workers[rank - 1]);
            close(ends[1]);
            sockets_.push_back(ends[0]);
            processes_.push_back(process);
        }
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    ~Ranks()
    {
        for (const int socket : sockets_)
            close(socket);
    }

    MessagePassing messages() const
    {
        MessagePassing messages;
        messages.size = static_cast<std::uint32_t>(sockets_.size() + 1);
        messages.send = [this](std::uint32_t to, std::span<const std::uint8_t> content) {
            send_packet(sockets_.at(to - 1), content);
        };
        messages.receive = [this]() -> std::optional<RankMessage> {
            for (std::uint32_t rank = 1; rank <= sockets_.size(); ++rank)
                if (std::optional<Bytes> content = receive_packet(sockets_[rank - 1]))
                    return RankMessage{rank, *std::move(content)};
            return std::nullopt;
        };
        return messages;
    }

    void kill_one(std::size_t which) const { kill(processes_.at(which), SIGKILL); }

    /// Their exit statuses, or signals, when they have ended.
    std::vector<int> statuses() const
    {
        std::vector<int> statuses;
        for (const pid_t process : processes_) {
            int status = 0;
            waitpid(process, &status, 0);
            statuses.push_back(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
        return statuses;
    }

private:
    [[noreturn]] static void live(std::uint32_t rank, int socket, unsigned workers)
    {
        JobPool pool(workers, work);
        MessagePassing messages;
        messages.rank = rank;
        messages.size = rank + 1;
        messages.send = [socket](std::uint32_t, std::span<const std::uint8_t> content) {
            send_packet(socket, content);
        };
        messages.receive = [socket]() -> std::optional<RankMessage> {
            std::optional<Bytes> content = receive_packet(socket);
            return content ? std::optional(RankMessage{0, *std::move(content)}) : std::nullopt;
        };
        _exit(serve_jobs(messages, pool, signs) == RankEnd::together ? 0 : ended_alone);
    }

    std::vector<int> sockets_;
    std::vector<pid_t> processes_;
};

} // namespace

TEST_CASE("jobs are run by all ranks, each as many at a time as it has places", "[ranks]")
{
    const std::vector<unsigned> workers =
        GENERATE(std::vector<unsigned>{}, std::vector<unsigned>{1}, std::vector<unsigned>{2, 1},
                 std::vector<unsigned>{1, 1, 3});
    const Ranks ranks(workers);
    JobPool own(1, work);
    const MessagePassing messages = ranks.messages();
    RankJobs jobs(messages, own, signs);
    const JobTransport transport = jobs.transport();
    std::size_t places = 1;
    for (const unsigned count : workers)
        places += count;
    CHECK(transport.places == places);

    constexpr std::uint64_t count = 60;
    const auto results = results_of(transport, count);
    CHECK(jobs.end() == RankEnd::together);
    CHECK(ranks.statuses() == std::vector<int>(workers.size(), 0));
    REQUIRE(results.size() == count);
    std::vector<std::size_t> shares(workers.size() + 1, 0);
    for (const auto& [id, result] : results) {
        CHECK(text(result.content) == "done: " + std::to_string(id));
        ++shares.at(result.rank);
    }
    for (const std::size_t share : shares)
        CHECK(share > 0);
}

TEST_CASE("jobs are stopped on whatever rank they are, on one that is lost too", "[ranks]")
{
    const bool is_lost = GENERATE(false, true);
    const Ranks ranks({1, 1});
    JobPool own(1, work);
    const MessagePassing messages = ranks.messages();
    RankJobs jobs(messages, own, SignsOfLife{20ms, 400ms});
    const JobTransport transport = jobs.transport();
    for (std::uint64_t id = 0; id < 3; ++id)
        transport.send({id, bytes("for ever")});
    if (is_lost)
        ranks.kill_one(1);
    for (std::uint64_t id = 0; id < 3; ++id)
        transport.stop(id);
    std::map<std::uint64_t, JobResult> results;
    while (results.size() < 3)
        for (JobResult& result : transport.receive(10s)) {
            const std::uint64_t id = result.id;
            CHECK(result.end == JobEnd::stopped);
            CHECK(results.emplace(id, std::move(result)).second);
        }
    // The places are free again.
    CHECK(results_of(transport, 12).size() == 12);
    CHECK(jobs.end() == (is_lost ? RankEnd::alone : RankEnd::together));
}

TEST_CASE("the jobs of a rank that is lost are run by others", "[ranks]")
{
    const Ranks ranks({1, 2, 1});
    JobPool own(1, work);
    const MessagePassing messages = ranks.messages();
    RankJobs jobs(messages, own, SignsOfLife{20ms, 400ms});
    JobTransport transport = jobs.transport();
    // When it dies the rank has jobs, and it gets some more.
    transport.send = [&, send = transport.send](const JobMessage& job) {
        if (job.id == 10)
            ranks.kill_one(1);
        send(job);
    };
    constexpr std::uint64_t count = 40;
    const auto results = results_of(transport, count);
    CHECK(results.size() == count);
    for (const auto& [id, result] : results)
        CHECK(text(result.content) == "done: " + std::to_string(id));
    CHECK(jobs.end() == RankEnd::alone);
    CHECK(ranks.statuses() == std::vector<int>{ended_alone, SIGKILL, ended_alone});
}

TEST_CASE("ranks end although they have jobs", "[ranks]")
{
    const Ranks ranks({1, 1});
    JobPool own(1, work);
    const MessagePassing messages = ranks.messages();
    RankJobs jobs(messages, own, signs);
    const JobTransport transport = jobs.transport();
    for (std::uint64_t id = 0; id < transport.places; ++id)
        transport.send({id, bytes("forgotten")});
    CHECK(jobs.end() == RankEnd::together);
    CHECK(ranks.statuses() == std::vector<int>{0, 0});
}

TEST_CASE("the environment says which rank a process is, and what share of the cores it has", "[ranks]")
{
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                   "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"})
        unsetenv(name);
    CHECK_FALSE(rank_environment());
    const char* const name = GENERATE("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");
    setenv(name, "3", 1);
    REQUIRE(rank_environment());
    CHECK(rank_environment()->rank == 3);
    SECTION("until it leaves them")
    {
        leave_rank_environment();
        CHECK_FALSE(rank_environment());
        return;
    }
    CHECK(cores_of(*rank_environment()) == usable_cores());
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "100000", 1);
    CHECK(cores_of(*rank_environment()) == 1);
    setenv(name, "no number", 1);
    CHECK_FALSE(rank_environment());
}

} // namespace nocturne::rank_transport_test
