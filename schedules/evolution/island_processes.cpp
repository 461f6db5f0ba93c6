#include "schedules/evolution/island_processes.hpp"

#include "schedules/evolution/epoch_bytes.hpp"
#include "schedules/workers/described_jobs.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

/// What an island answers to `advance`.
Bytes advance(Island& island, std::span<const std::uint8_t> immigrant, const SearchControl& control)
{
    const Bytes report = report_to_bytes(island.advance(immigrant, control));
    Bytes answer(1 + report.size(), control.end.has_come() ? 0 : 1);
    std::copy(report.begin(), report.end(), answer.begin() + 1);
    return answer;
}

/// An island as a member of a team.
class IslandMember {
public:
    IslandMember(std::unique_ptr<Island> island, SearchControl control)
        : island_(std::move(island)), control_(std::move(control))
    {
    }

    Bytes answer(std::span<const std::uint8_t> message)
    {
        const auto content = message.subspan(1);
        switch (static_cast<IslandRequest>(message.front())) {
        case IslandRequest::keep_and_advance:
            kept_ = island_->save();
            [[fallthrough]];
        case IslandRequest::advance:
            return advance(*island_, content, control_);
        case IslandRequest::kept:
            return kept_;
        case IslandRequest::save:
            return island_->save();
        case IslandRequest::load:
            island_->load(content);
        }
        return {};
    }

private:
    std::unique_ptr<Island> island_;
    SearchControl control_;
    Bytes kept_;
};

class IslandTeam final : public IslandProcesses {
public:
    IslandTeam(const IslandModel& model, const EvolutionOptions& options,
               const std::vector<std::uint64_t>& seeds)
        : model_(model), options_(options), seeds_(seeds), stop_(1),
          // Its processes are forks of this one: what they need is there by now.
          team_(seeds.size(), options.workers, [this](std::size_t island) { return spawn(island); })
    {
    }

    std::vector<Bytes> round(std::span<const Bytes> messages,
                             const std::function<bool()>& is_stopped) override
    {
        return team_.round(messages, [&] { stop_[0] = is_stopped(); });
    }

private:
    /// In the process in which the island will live.
    Team::Member spawn(std::size_t island)
    {
        SearchControl control;
        control.end = options_.end;
        // Other processes cannot see the flag itself.
        if (getpid() != parent_)
            control.end.stop = &stop_[0];
        const auto number = static_cast<std::uint32_t>(island);
        const auto inhabitant =
            std::make_shared<IslandMember>(model_.make(number, seeds_[island]), std::move(control));
        return [inhabitant](std::span<const std::uint8_t> message) { return inhabitant->answer(message); };
    }

    const IslandModel& model_;
    const EvolutionOptions& options_;
    const std::vector<std::uint64_t>& seeds_;
    pid_t parent_ = getpid();
    SharedValues<bool> stop_; ///< the stop flag as other processes see it
    Team team_;
};

/// The master keeps the states. An epoch, or a state to be taken over, is a job.
class TravellingIslands final : public IslandProcesses {
public:
    TravellingIslands(const IslandModel& model, const EvolutionOptions& options,
                      const std::vector<std::uint64_t>& seeds)
        : model_(model), options_(options), seeds_(seeds), states_(seeds.size()), kept_(seeds.size())
    {
    }

    std::vector<Bytes> round(std::span<const Bytes> messages, const std::function<bool()>&) override
    {
        const auto request = static_cast<IslandRequest>(messages.front().front()); // all get the same
        if (request == IslandRequest::kept)
            return kept_;
        if (request == IslandRequest::save)
            return saved();
        if (request == IslandRequest::keep_and_advance)
            kept_ = saved();
        std::vector<JobDescription> jobs;
        for (std::size_t island = 0; island < messages.size(); ++island)
            jobs.emplace_back([&, island] { return description(island, messages[island]); });
        std::vector<Bytes> answers;
        const std::vector<nlohmann::json> results = run_jobs(*options_.transport, jobs);
        for (std::size_t island = 0; island < results.size(); ++island) {
            states_[island] = results[island]["state"].get_binary();
            answers.push_back(results[island]["answer"].get_binary());
        }
        return answers;
    }

private:
    nlohmann::json description(std::size_t island, const Bytes& message) const
    {
        const std::chrono::duration<double> left = options_.end.deadline - Clock::now();
        return {{"island", island},
                {"seed", seeds_[island]},
                {"state", nlohmann::json::binary(states_[island])},
                {"message", nlohmann::json::binary(message)},
                {"seconds", left.count()}};
    }

    /// An island that has not been anywhere yet is as its seed makes it.
    std::vector<Bytes> saved() const
    {
        std::vector<Bytes> saved = states_;
        for (std::size_t island = 0; island < saved.size(); ++island)
            if (saved[island].empty())
                saved[island] = model_.make(static_cast<std::uint32_t>(island), seeds_[island])->save();
        return saved;
    }

    const IslandModel& model_;
    const EvolutionOptions& options_;
    const std::vector<std::uint64_t>& seeds_;
    std::vector<Bytes> states_; ///< empty: not been anywhere yet
    std::vector<Bytes> kept_;
};

} // namespace

Bytes island_message(IslandRequest request, std::span<const std::uint8_t> content)
{
    Bytes bytes(1 + content.size(), static_cast<std::uint8_t>(request));
    std::copy(content.begin(), content.end(), bytes.begin() + 1);
    return bytes;
}

std::unique_ptr<IslandProcesses> island_processes(const IslandModel& model, const EvolutionOptions& options,
                                                  const std::vector<std::uint64_t>& seeds)
{
    if (options.transport != nullptr)
        return std::make_unique<TravellingIslands>(model, options, seeds);
    return std::make_unique<IslandTeam>(model, options, seeds);
}

nlohmann::json visit_island(const IslandModel& model, const nlohmann::json& description)
{
    const auto island =
        model.make(description["island"].get<std::uint32_t>(), description["seed"].get<std::uint64_t>());
    if (const Bytes& state = description["state"].get_binary(); !state.empty())
        island->load(state);
    const Bytes& message = description["message"].get_binary();
    const auto content = std::span(message).subspan(1);
    Bytes answer;
    if (static_cast<IslandRequest>(message.front()) == IslandRequest::load) {
        island->load(content);
    } else {
        SearchControl control;
        control.end = end_after(std::chrono::duration<double>(description["seconds"].get<double>()));
        answer = advance(*island, content, control);
    }
    return {{"state", nlohmann::json::binary(island->save())}, {"answer", nlohmann::json::binary(answer)}};
}

} // namespace nocturne
