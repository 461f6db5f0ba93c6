#include "schedules/workers/job_pool.hpp"

#include "schedules/workers/process.hpp"
#include "schedules/workers/running_jobs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <poll.h>
#include <sched.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace nocturne {
namespace job_pool {

/// A frame to the server is one of these letters, and a job or the id of one.
constexpr std::uint8_t is_job_frame = 'j';
constexpr std::uint8_t is_stop_frame = 's';

/// Messages on their way through a socket, each behind its size.
class FrameBuffer {
public:
    void add(std::span<const std::uint8_t> content)
    {
        const std::uint64_t size = content.size();
        const std::size_t end = bytes_.size();
        bytes_.resize(end + sizeof size);
        std::memcpy(bytes_.data() + end, &size, sizeof size);
        bytes_.insert(bytes_.end(), content.begin(), content.end());
    }

    bool empty() const { return bytes_.empty(); }

    /// The first message, once all of it is there.
    std::optional<Bytes> take()
    {
        std::uint64_t size = 0;
        if (bytes_.size() - begin_ < sizeof size)
            return std::nullopt;
        std::memcpy(&size, bytes_.data() + begin_, sizeof size);
        if (bytes_.size() - begin_ - sizeof size < size)
            return std::nullopt;
        const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(begin_ + sizeof size);
        Bytes content(first, first + static_cast<std::ptrdiff_t>(size));
        begin_ += sizeof size + size;
        if (begin_ == bytes_.size())
            drop_taken();
        return content;
    }

    /// Reads what there is, without waiting; false if the other end is gone.
    bool read_some(int socket)
    {
        drop_taken();
        std::array<std::uint8_t, 65536> chunk;
        const ssize_t count = recv(socket, chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (count > 0)
            bytes_.insert(bytes_.end(), chunk.begin(), chunk.begin() + count);
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    }

    /// Writes what the socket takes, without waiting; false if the other end is gone.
    bool write_some(int socket)
    {
        const ssize_t count = ::send(socket, bytes_.data(), bytes_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0)
            return errno == EAGAIN || errno == EINTR;
        bytes_.erase(bytes_.begin(), bytes_.begin() + count);
        return true;
    }

private:
    void drop_taken()
    {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }

    Bytes bytes_;
    std::size_t begin_ = 0; ///< what stands before it has been taken
};

/// The server's life.
class JobServer {
public:
    JobServer(int socket, unsigned workers, const JobPool::Work& work)
        : socket_(socket), workers_(workers), work_(work)
    {
    }

    /// Until the other end of the socket is closed.
    void run()
    {
        while (poll_once()) {
            while (const std::optional<Bytes> frame = incoming_.take()) {
                const JobMessage message = job_message_of(std::span(*frame).subspan(1));
                if (frame->front() == is_job_frame)
                    waiting_.push_back(message);
                else if (!stop(message.id))
                    return;
            }
            while (!waiting_.empty() && running_.count() < workers_) {
                const JobMessage& job = waiting_.front();
                running_.start(job.id, [&] { return work_(job.content); });
                waiting_.pop_front();
            }
        }
    }

private:
    /// False if the other end is gone.
    bool stop(std::uint64_t id)
    {
        const auto waits = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const JobMessage& job) { return job.id == id; });
        if (waits != waiting_.end()) {
            waiting_.erase(waits);
            JobResult result;
            result.id = id;
            result.end = JobEnd::stopped;
            return send_result(result);
        }
        const std::optional<JobResult> result = running_.stop(id);
        return !result || send_result(*result); // or it is on its way
    }

    bool poll_once()
    {
        const RunningJobs::News news = running_.wait(-1);
        for (const JobResult& result : news.ended)
            if (!send_result(result))
                return false;
        return !news.of_descriptor || incoming_.read_some(socket_);
    }

    /// Waits until all of it is sent: the other end reads whenever there is something. False if that is gone.
    bool send_result(const JobResult& result) const
    {
        FrameBuffer frame;
        frame.add(bytes_of(result));
        while (!frame.empty()) {
            pollfd writable{socket_, POLLOUT, 0};
            poll(&writable, 1, -1);
            if (!frame.write_some(socket_))
                return false;
        }
        return true;
    }

    int socket_;
    std::size_t workers_;
    const JobPool::Work& work_;
    SignalWatch signals_; // never read: the pool's process decides what becomes of a signal
    FrameBuffer incoming_;
    std::deque<JobMessage> waiting_;
    RunningJobs running_{signals_, socket_};
};

} // namespace job_pool

using namespace job_pool;

struct JobPool::Implementation {
    Implementation(unsigned count, const Work& work) : workers(count > 0 ? count : usable_cores())
    {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw_errno("socketpair");
        socket = Descriptor(ends[0]);
        const Descriptor far(ends[1]);
        const std::array inherited{socket.number()};
        server.emplace(signals, inherited, [&] {
            setpgid(0, 0); // Ctrl-C at the terminal is for the pool's process alone
            JobServer(far.number(), workers, work).run();
        });
    }

    void send(std::uint8_t kind, const JobMessage& message)
    {
        Bytes frame = bytes_of(message);
        frame.insert(frame.begin(), kind);
        outgoing.add(frame);
        outgoing.write_some(socket.number());
    }

    std::vector<JobResult> receive(std::chrono::milliseconds patience)
    {
        std::array<pollfd, 2> awaited{
            pollfd{signals.descriptor(), POLLIN, 0},
            pollfd{socket.number(), static_cast<short>(outgoing.empty() ? POLLIN : POLLIN | POLLOUT), 0}};
        if (poll(awaited.data(), awaited.size(), static_cast<int>(patience.count())) < 0 && errno != EINTR)
            throw_errno("poll");
        if (awaited[0].revents != 0)
            signals.throw_if_interrupted();
        if ((awaited[1].revents & POLLOUT) != 0)
            outgoing.write_some(socket.number());
        if ((awaited[1].revents & ~POLLOUT) != 0 && !incoming.read_some(socket.number()))
            throw std::runtime_error("worker processes: " + describe_end(server->wait()));
        std::vector<JobResult> results;
        while (const std::optional<Bytes> frame = incoming.take())
            results.push_back(job_result_of(*frame));
        return results;
    }

    unsigned workers;
    SignalWatch signals; // before the server: signals come back to this process only after it is gone
    Descriptor socket;
    std::optional<ChildProcess> server;
    FrameBuffer outgoing;
    FrameBuffer incoming;
};

JobPool::JobPool(unsigned workers, const Work& work)
    : implementation_(std::make_unique<Implementation>(workers, work))
{
}

JobPool::~JobPool() = default;

std::size_t JobPool::places() const
{
    return implementation_->workers;
}

void JobPool::send(const JobMessage& job)
{
    implementation_->send(is_job_frame, job);
}

void JobPool::stop(std::uint64_t id)
{
    implementation_->send(is_stop_frame, {id, {}});
}

std::vector<JobResult> JobPool::receive(std::chrono::milliseconds patience)
{
    return implementation_->receive(patience);
}

JobTransport transport_of(JobPool& pool)
{
    return {pool.places(), [&pool](const JobMessage& job) { pool.send(job); },
            [&pool](std::uint64_t id) { pool.stop(id); },
            [&pool](std::chrono::milliseconds patience) { return pool.receive(patience); }};
}

unsigned usable_cores()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) // more than 1024 of them
        return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
}

} // namespace nocturne
