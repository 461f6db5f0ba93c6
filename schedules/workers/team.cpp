#include "schedules/workers/team.hpp"

#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace team {

using Size = std::uint64_t;

// What travels: the size of all that follows, then the messages to a worker's members or their answers, each
// as its kind, its size and its bytes. A worker stops at the first member that fails: its answer is a
// failure, and the last.
constexpr std::uint8_t is_message = 'm';

void append_size(Bytes& bytes, Size size)
{
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof size);
    std::memcpy(bytes.data() + end, &size, sizeof size);
}

Size size_at(std::span<const std::uint8_t> bytes)
{
    Size size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    return size;
}

/// Messages on their way to one process.
class Frame {
public:
    Frame() { clear(); }
    void clear() { bytes_.assign(sizeof(Size), 0); }
    void add(std::uint8_t kind, std::span<const std::uint8_t> content)
    {
        bytes_.push_back(kind);
        append_size(bytes_, content.size());
        bytes_.insert(bytes_.end(), content.begin(), content.end());
    }
    std::span<const std::uint8_t> sealed()
    {
        const Size size = bytes_.size() - sizeof(Size);
        std::memcpy(bytes_.data(), &size, sizeof size);
        return bytes_;
    }

private:
    Bytes bytes_;
};

/// Takes the first message off the content of a frame.
std::pair<std::uint8_t, std::span<const std::uint8_t>> next_message(std::span<const std::uint8_t>& content)
{
    const std::uint8_t kind = content.front();
    const Size size = size_at(content.subspan(1));
    const auto message = content.subspan(1 + sizeof size, size);
    content = content.subspan(1 + sizeof size + size);
    return {kind, message};
}

/// Members of one process, made when they are first needed.
class Members {
public:
    Members(std::size_t count, const std::function<Team::Member(std::size_t)>& make)
        : make_(make), members_(count)
    {
    }
    Bytes answer(std::size_t member, std::span<const std::uint8_t> message)
    {
        if (!members_[member])
            members_[member] = make_(member);
        return members_[member](message);
    }

private:
    const std::function<Team::Member(std::size_t)>& make_;
    std::vector<Team::Member> members_;
};

/// Fills `bytes`; false if the other end is gone.
bool receive_all(int socket, std::span<std::uint8_t> bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = recv(socket, bytes.data(), bytes.size(), 0);
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    }
    return true;
}

/// The life of a worker process: member `first`, and each `stride` after it.
void serve(int socket, std::size_t first, std::size_t stride, Members members, std::atomic<std::uint64_t>& at)
{
    Bytes content;
    Frame answers;
    for (;;) {
        std::array<std::uint8_t, sizeof(Size)> head{};
        if (!receive_all(socket, head))
            return;
        content.resize(size_at(head));
        if (!receive_all(socket, content))
            return;
        answers.clear();
        std::span<const std::uint8_t> left = content;
        try {
            for (std::size_t member = first; !left.empty(); member += stride) {
                at = member;
                answers.add(is_message, members.answer(member, next_message(left).second));
            }
        } catch (...) {
            const Bytes failure = current_failure();
            answers.add(failure.front(), failure);
        }
        if (!send_all(socket, answers.sealed()))
            return;
    }
}

/// A worker process as its parent sees it.
class WorkerHandle {
public:
    WorkerHandle(ChildProcess process, Descriptor socket)
        : process_(std::move(process)), socket_(std::move(socket))
    {
    }

    int socket() const { return socket_.number(); }
    Frame& outgoing() { return outgoing_; }
    bool is_waiting_to_send() const { return !unsent_.empty(); }
    bool has_answered() const { return received_ >= sizeof(Size) && received_ == expected(); }
    std::span<const std::uint8_t> answers() const
    {
        return std::span(incoming_).subspan(sizeof(Size), received_ - sizeof(Size));
    }

    void begin()
    {
        unsent_ = outgoing_.sealed();
        received_ = 0;
        send_some();
    }
    /// As much as the socket takes. That the process has died shows when its answer is read.
    void send_some()
    {
        const ssize_t count =
            send(socket_.number(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && (errno == EPIPE || errno == ECONNRESET))
            unsent_ = {};
        else if (count < 0 && errno != EAGAIN && errno != EINTR)
            throw_errno("send");
        unsent_ = unsent_.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    }
    /// As much as there is; false if the process has died.
    bool receive_some()
    {
        constexpr std::size_t chunk = 65536;
        incoming_.resize(std::max(incoming_.size(), received_ < sizeof(Size) ? chunk : expected()));
        const ssize_t count =
            recv(socket_.number(), incoming_.data() + received_, incoming_.size() - received_, MSG_DONTWAIT);
        received_ += static_cast<std::size_t>(std::max<ssize_t>(0, count));
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    }
    std::string end() { return describe_end(process_.wait()); }

private:
    std::size_t expected() const { return sizeof(Size) + size_at(incoming_); }

    ChildProcess process_;
    Descriptor socket_;
    Frame outgoing_;
    std::span<const std::uint8_t> unsent_;
    Bytes incoming_; ///< a buffer that stays; what has come is its beginning
    std::size_t received_ = 0;
};

} // namespace team

using namespace team;

/// Members in this process, or in others.
struct Team::Implementation {
    Implementation(std::size_t members, unsigned workers, std::function<Member(std::size_t)> make_member)
        : size(members), make(std::move(make_member)), at(workers), here(members, make)
    {
        if (workers <= 1)
            return;
        signals.emplace();
        for (std::size_t worker = 0; worker < workers; ++worker)
            start(worker, workers);
    }

    void start(std::size_t worker, std::size_t workers)
    {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw_errno("socketpair");
        Descriptor near(ends[0]);
        const Descriptor far(ends[1]);
        std::vector<int> inherited{near.number()};
        for (const WorkerHandle& other : handles)
            inherited.push_back(other.socket());
        ChildProcess process(*signals, inherited,
                             [&] { serve(far.number(), worker, workers, std::move(here), at[worker]); });
        handles.emplace_back(std::move(process), std::move(near));
    }

    std::vector<Bytes> round(std::span<const Bytes> messages, const std::function<void()>& on_tick)
    {
        answers.assign(size, {});
        failed = size;
        error = nullptr;
        if (handles.empty())
            answer_here(messages);
        else
            ask_colleagues(messages, on_tick);
        if (error)
            std::rethrow_exception(error);
        return std::move(answers);
    }

    void answer_here(std::span<const Bytes> messages)
    {
        try {
            for (std::size_t member = 0; member < size; ++member)
                answers[member] = here.answer(member, messages[member]);
        } catch (const Interrupted&) {
            throw;
        } catch (...) {
            rethrow_failure(current_failure());
        }
    }

    void ask_colleagues(std::span<const Bytes> messages, const std::function<void()>& on_tick)
    {
        for (std::size_t worker = 0; worker < handles.size(); ++worker) {
            Frame& frame = handles[worker].outgoing();
            frame.clear();
            for (std::size_t member = worker; member < size; member += handles.size())
                frame.add(is_message, messages[member]);
            at[worker] = worker;
            handles[worker].begin();
        }
        std::vector<std::size_t> busy;
        for (std::size_t worker = 0; worker < handles.size(); ++worker)
            busy.push_back(worker);
        while (!busy.empty()) {
            wait(busy, on_tick);
            // After a failure only those can change the outcome that have not got as far.
            std::erase_if(busy, [&](std::size_t worker) { return at[worker] > failed; });
        }
    }

    /// Waits a while for `busy` workers, and takes those out that have answered or died.
    void wait(std::vector<std::size_t>& busy, const std::function<void()>& on_tick)
    {
        const int tick_ms = error ? 5 : 100;
        awaited.assign(1, {signals->descriptor(), POLLIN, 0});
        for (const std::size_t worker : busy) {
            const int events = handles[worker].is_waiting_to_send() ? POLLIN | POLLOUT : POLLIN;
            awaited.push_back({handles[worker].socket(), static_cast<short>(events), 0});
        }
        const int ready = poll(awaited.data(), awaited.size(), tick_ms);
        if (ready < 0 && errno != EINTR)
            throw_errno("poll");
        if (awaited.front().revents != 0)
            signals->throw_if_interrupted();
        if (ready == 0 && on_tick)
            on_tick();
        std::size_t place = 1;
        std::erase_if(busy, [&](std::size_t worker) {
            const short events = ready > 0 ? awaited[place++].revents : short{0};
            WorkerHandle& handle = handles[worker];
            if ((events & POLLOUT) != 0)
                handle.send_some();
            if ((events & ~POLLOUT) == 0)
                return false;
            if (!handle.receive_some()) {
                const std::size_t member = at[worker];
                fail(member,
                     std::make_exception_ptr(WorkerDied(fmt::format("member {}: {}", member, handle.end()))));
                return true;
            }
            if (handle.has_answered())
                take(worker);
            return handle.has_answered();
        });
    }

    void take(std::size_t worker)
    {
        std::span<const std::uint8_t> left = handles[worker].answers();
        for (std::size_t member = worker; !left.empty(); member += handles.size()) {
            const auto [kind, content] = next_message(left);
            if (kind == is_message) {
                answers[member].assign(content.begin(), content.end());
                continue;
            }
            try {
                rethrow_failure(content);
            } catch (...) {
                fail(member, std::current_exception());
            }
        }
    }

    void fail(std::size_t member, std::exception_ptr what)
    {
        if (member < failed) {
            failed = member;
            error = std::move(what);
        }
    }

    std::size_t size;
    std::function<Member(std::size_t)> make;
    SharedValues<std::uint64_t> at; ///< by worker: the member that it is at
    Members here;                   ///< those of this process
    std::optional<SignalWatch>
        signals; ///< before the processes: signals come back to this one after they are gone
    std::vector<WorkerHandle> handles;
    std::vector<pollfd> awaited;
    bool has_ended = false;
    // Of one round:
    std::vector<Bytes> answers;
    std::size_t failed = 0; ///< first member that is known to have failed, else their number
    std::exception_ptr error;
};

Team::Team(std::size_t members, unsigned workers, std::function<Member(std::size_t member)> make)
{
    const std::size_t most = workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency());
    implementation_ = std::make_unique<Implementation>(
        members, static_cast<unsigned>(std::min(most, members)), std::move(make));
}

Team::~Team() = default;

std::size_t Team::size() const
{
    return implementation_->size;
}

std::vector<Bytes> Team::round(std::span<const Bytes> messages, const std::function<void()>& on_tick)
{
    if (implementation_->has_ended)
        throw std::logic_error("a team that has failed has no more rounds");
    if (messages.size() != size())
        throw std::logic_error(fmt::format("{} messages for {} members", messages.size(), size()));
    try {
        return implementation_->round(messages, on_tick);
    } catch (...) {
        implementation_->has_ended = true;
        implementation_->handles.clear();
        throw;
    }
}

} // namespace nocturne
