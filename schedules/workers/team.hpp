// Worker processes that keep their state from round to round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace nocturne {

using Bytes = std::vector<std::uint8_t>;

/// Members answer messages, round by round; what they keep between rounds lives in their process. Member i
/// always sees the messages to member i in order, so that the answers do not depend on the number of
/// processes. A round costs some tens of microseconds: two short messages and two changes of process for each
/// worker.
class Team {
public:
    /// What a member does with a message. Called in its process only.
    using Member = std::function<Bytes(std::span<const std::uint8_t> message)>;

    /// Spreads the members over `workers` processes (0 = one for each core; 1 = this one, nothing is forked).
    /// `make` is called in the member's process, before its first message. Call it from a process with one
    /// thread.
    ///
    /// SIGINT, SIGTERM and SIGHUP are caught for as long as a team of several processes lives; with one they
    /// are left alone.
    Team(std::size_t members, unsigned workers, std::function<Member(std::size_t member)> make);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    /// Ends the processes, busy or not; none is left behind, also if this process is killed.
    ~Team();

    std::size_t size() const;

    /// Sends each member its message and returns the answers, by member. Throws what the first member in the
    /// list that fails threw (std::invalid_argument stays one, anything else becomes std::runtime_error; a
    /// process that died is named with the reason), and Interrupted if SIGINT, SIGTERM or SIGHUP arrives; the
    /// team is then at an end: no more rounds. `on_tick` is called in this process a few times a second while
    /// it waits for others.
    std::vector<Bytes> round(std::span<const Bytes> messages, const std::function<void()>& on_tick = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace nocturne
