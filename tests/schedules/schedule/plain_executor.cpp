#include "tests/schedules/schedule/plain_executor.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne::test {

namespace {

using Place = std::pair<NodeId, PlaceId>;

/// What is in a place: the sum of these contributions to a chunk.
struct Content {
    ChunkId chunk;
    std::multiset<std::uint32_t> contributors;
};

/// What the schedule makes of itself goes wrong.
[[noreturn]] void fail(const std::string& why, std::size_t transfer)
{
    throw std::runtime_error(why + ", transfer " + std::to_string(transfer + 1));
}

void require(bool holds, const char* why, std::size_t transfer)
{
    if (!holds)
        fail(why, transfer);
}

class PlainMachine {
public:
    PlainMachine(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), transfers_(list_transfers(schedule)), network_(network),
          weights_(transfers_.size(), 0)
    {
        require_collective();
        for (std::size_t id = 0; id < transfers_.size(); ++id)
            require_path(id);
        load();
    }

    bool in_steps() const { return is_in_steps(schedule_); }

    void run_steps(SplitMix64& random)
    {
        for (std::size_t id = 0; id < transfers_.size(); ++id) {
            require(transfers_[id].after.empty(), "waits in steps", id);
            require(transfers_[id].step < schedule_.rounds.size(), "no such step", id);
        }
        for (std::uint32_t step = 0; step < schedule_.rounds.size(); ++step)
            run_step(step, random);
        require_results();
    }

    /// `held`: the transfer that is kept open, if any.
    void run_dependencies(SplitMix64& random, std::optional<std::uint32_t> held)
    {
        require(schedule_.rounds.empty(), "rounds without steps", 0);
        for (std::size_t id = 0; id < transfers_.size(); ++id) {
            require(transfers_[id].step == 0, "a step without steps", id);
            for (const std::uint32_t before : transfers_[id].after)
                require(before < transfers_.size(), "waits for nothing", id);
        }
        require_starts();
        std::vector<std::vector<std::uint32_t>> followers(transfers_.size());
        std::vector<std::size_t> waits(transfers_.size());
        std::vector<std::uint32_t> can_begin, can_end;
        for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
            waits[id] = transfers_[id].after.size();
            for (const std::uint32_t before : transfers_[id].after)
                followers[before].push_back(id);
            if (waits[id] == 0)
                can_begin.push_back(id);
        }
        const std::set<std::uint32_t> first = held ? before_and(*held) : std::set<std::uint32_t>{};
        bool is_held = false;
        while (!can_begin.empty() || !can_end.empty()) {
            std::vector<std::uint32_t> begins = can_begin, ends = can_end;
            if (held && !is_held) // until it has begun, only what it waits for
                std::erase_if(begins, [&](std::uint32_t id) { return !first.contains(id); });
            if (held && begins.size() + ends.size() > 1)
                std::erase(ends, *held);
            const auto choice = random.below(static_cast<std::uint32_t>(begins.size() + ends.size()));
            if (choice < begins.size()) {
                begin(begins[choice]);
                is_held = is_held || begins[choice] == held;
                std::erase(can_begin, begins[choice]);
                can_end.push_back(begins[choice]);
            } else {
                const std::uint32_t id = ends[choice - begins.size()];
                end(id);
                std::erase(can_end, id);
                for (const std::uint32_t follower : followers[id])
                    if (--waits[follower] == 0)
                        can_begin.push_back(follower);
            }
        }
        require_results();
    }

    std::vector<std::uint32_t> weights() && { return std::move(weights_); }

private:
    void require_collective() const
    {
        const auto& [kind, processors, parts, chunks, demands] = schedule_.collective;
        require(processors == network_.processor_count(), "another network", 0);
        for (const Chunk& chunk : chunks)
            require(chunk.weight > 0, "a chunk of no size", 0);
    }

    /// Only switches between the ends, memories at both.
    void require_path(std::size_t id) const
    {
        const Transfer& transfer = transfers_[id].transfer;
        require(transfer.source < network_.node_count() && transfer.destination < network_.node_count(),
                "no such node", id);
        const auto kind = [&](NodeId node) { return network_.kind(node); };
        require(kind(transfer.source) != NodeKind::plain_switch &&
                    kind(transfer.destination) != NodeKind::plain_switch,
                "a switch holds nothing", id);
        require(kind(transfer.destination) == NodeKind::processor || transfer.operation == Operation::copy,
                "a switch adds nothing", id);
        require((transfer.source == transfer.destination) == transfer.links().empty(), "nowhere", id);
        std::set<LinkId> taken;
        NodeId at = transfer.source;
        for (const LinkId link : transfer.links()) {
            require(link < network_.link_count() && network_.link(link).source == at, "no such way", id);
            require(at == transfer.source || kind(at) != NodeKind::processor, "through a processor", id);
            require(taken.insert(link).second, "a link twice", id);
            at = network_.link(link).target;
        }
        require(at == transfer.destination, "it ends elsewhere", id);
    }

    void load()
    {
        std::set<std::pair<std::uint32_t, ChunkId>> elsewhere;
        const auto put = [&](std::uint32_t processor, PlaceId place, ChunkId chunk) {
            require(memory_.emplace(Place{processor, place}, Content{chunk, {processor}}).second,
                    "two inputs in a place", 0);
        };
        const auto& chunks = schedule_.collective.chunks;
        for (const ChunkPlacement& input : schedule_.inputs) {
            require(input.chunk < chunks.size(), "no such input", 0);
            const auto& contributors = chunks[input.chunk].contributors;
            require(std::count(contributors.begin(), contributors.end(), input.processor) == 1, "no input",
                    0);
            require(elsewhere.emplace(input.processor, input.chunk).second, "an input in two places", 0);
            put(input.processor, input.place, input.chunk);
        }
        for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk)
            for (const std::uint32_t contributor : chunks[chunk].contributors)
                if (!elsewhere.contains({contributor, chunk}))
                    put(contributor, chunk, chunk);
    }

    /// Is there an order in which links let them start?
    void require_starts() const
    {
        std::vector<std::vector<std::uint32_t>> on_link(network_.link_count());
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            for (const LinkId link : transfers_[id].transfer.links())
                on_link[link].push_back(id);
        std::vector<bool> started(transfers_.size(), false);
        std::vector<std::size_t> next(on_link.size(), 0);
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
                const auto is_next = [&](LinkId link) { return on_link[link][next[link]] == id; };
                const std::vector<std::uint32_t>& after = transfers_[id].after;
                const auto path = transfers_[id].transfer.links();
                if (started[id] || !std::all_of(path.begin(), path.end(), is_next) ||
                    !std::all_of(after.begin(), after.end(), [&](std::uint32_t it) { return started[it]; }))
                    continue;
                started[id] = goes_on = true;
                for (const LinkId link : path)
                    ++next[link];
            }
        }
        for (std::size_t id = 0; id < started.size(); ++id)
            require(started[id], "never starts", id);
    }

    std::set<std::uint32_t> before_and(std::uint32_t id) const
    {
        std::set<std::uint32_t> found{id};
        std::vector<std::uint32_t> open{id};
        while (!open.empty()) {
            const std::uint32_t it = open.back();
            open.pop_back();
            for (const std::uint32_t before : transfers_[it].after)
                if (found.insert(before).second)
                    open.push_back(before);
        }
        return found;
    }

    const Content& read(std::size_t id)
    {
        const Transfer& transfer = transfers_[id].transfer;
        const auto found = memory_.find({transfer.source, transfer.message});
        require(found != memory_.end(), "nothing to read", id);
        weights_[id] = schedule_.collective.chunks[found->second.chunk].weight;
        return found->second;
    }

    void write(std::size_t id, const Content& came)
    {
        const Transfer& transfer = transfers_[id].transfer;
        const Place to{transfer.destination, transfer.to};
        if (transfer.operation == Operation::copy) {
            memory_[to] = came;
            return;
        }
        const auto there = memory_.find(to);
        require(there != memory_.end(), "nothing to add to", id);
        require(there->second.chunk == came.chunk, "different chunks", id);
        for (const std::uint32_t contributor : came.contributors) {
            require(!there->second.contributors.contains(contributor), "added twice", id);
            there->second.contributors.insert(contributor);
        }
    }

    /// Who touches a place at the moment.
    struct Users {
        int reading = 0, adding = 0, copying = 0;
    };

    void begin(std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id].transfer;
        const Place from{transfer.source, transfer.message}, to{transfer.destination, transfer.to};
        require(users_[from].adding + users_[from].copying == 0, "it reads what is written", id);
        ++users_[from].reading;
        const Users& there = users_[to];
        const bool adds = transfer.operation == Operation::add;
        require(there.reading - (from == to ? 1 : 0) + there.copying + (adds ? 0 : there.adding) == 0,
                "it writes what is read or written", id);
        ++(adds ? users_[to].adding : users_[to].copying);
        came_[id] = read(id);
    }

    void end(std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id].transfer;
        --users_[{transfer.source, transfer.message}].reading;
        Users& there = users_[{transfer.destination, transfer.to}];
        --(transfer.operation == Operation::add ? there.adding : there.copying);
        write(id, came_.at(id));
    }

    void run_step(std::uint32_t step, SplitMix64& random)
    {
        std::vector<std::uint32_t> sent, local;
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            if (transfers_[id].step == step)
                (transfers_[id].transfer.links().empty() ? local : sent).push_back(id);
        require(schedule_.rounds[step] > 0, "no rounds", step);
        std::map<LinkId, std::uint64_t> load;
        std::map<Place, Users> users;
        for (const std::uint32_t id : sent) {
            came_[id] = read(id);
            for (const LinkId link : transfers_[id].transfer.links())
                load[link] += weights_[id];
            Users& there = users[{transfers_[id].transfer.destination, transfers_[id].transfer.to}];
            ++(transfers_[id].transfer.operation == Operation::add ? there.adding : there.copying);
            require(there.copying == 0 || there.copying + there.adding == 1, "two write", id);
        }
        for (const auto& [link, weight] : load)
            require(weight <= network_.units(link) * schedule_.rounds[step], "too much on a link", step);
        while (!sent.empty()) {
            const auto which = random.below(static_cast<std::uint32_t>(sent.size()));
            write(sent[which], came_.at(sent[which]));
            sent.erase(sent.begin() + which);
        }
        for (const std::uint32_t id : local)
            write(id, Content(read(id)));
    }

    void require_results() const
    {
        const Collective& collective = schedule_.collective;
        for (const Demand& demand : collective.demands)
            require_result(demand, demand.chunk);
        // What a broadcast or an allgather leaves with those who had it is not listed.
        if (collective.kind != CollectiveKind::broadcast && collective.kind != CollectiveKind::allgather)
            return;
        for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
            const std::uint32_t origin = collective.chunks[chunk].contributors.front();
            PlaceId place = chunk;
            for (const ChunkPlacement& input : schedule_.inputs)
                if (input.processor == origin && input.chunk == chunk)
                    place = input.place;
            require_result({chunk, origin, {origin}}, place);
        }
    }

    void require_result(const Demand& demand, PlaceId place) const
    {
        for (const ChunkPlacement& output : schedule_.outputs)
            if (output.processor == demand.receiver && output.chunk == demand.chunk)
                place = output.place;
        const auto found = memory_.find({demand.receiver, place});
        require(found != memory_.end() && found->second.chunk == demand.chunk &&
                    std::equal(found->second.contributors.begin(), found->second.contributors.end(),
                               demand.contributors.begin(), demand.contributors.end()),
                "a wrong result", demand.chunk);
    }

    const Schedule& schedule_;
    const std::vector<ListedTransfer> transfers_;
    const LinkNetwork& network_;
    std::map<Place, Content> memory_;
    std::map<Place, Users> users_;
    std::map<std::uint32_t, Content> came_;
    std::vector<std::uint32_t> weights_;
};

Execution executed(const Schedule& schedule, const LinkNetwork& network, SplitMix64& random,
                   std::optional<std::uint32_t> held)
{
    try {
        PlainMachine machine{schedule, network};
        if (machine.in_steps())
            machine.run_steps(random);
        else
            machine.run_dependencies(random, held);
        return {"", std::move(machine).weights()};
    } catch (const std::runtime_error& error) {
        return {error.what(), {}};
    }
}

} // namespace

Execution execute(const Schedule& schedule, const LinkNetwork& network, SplitMix64& random)
{
    return executed(schedule, network, random, std::nullopt);
}

Execution execute_while_open(const Schedule& schedule, const LinkNetwork& network, std::uint32_t held,
                             SplitMix64& random)
{
    return executed(schedule, network, random, held);
}

std::string failure_of(const Schedule& schedule, const LinkNetwork& network, SplitMix64& random,
                       std::uint32_t draws)
{
    for (std::uint32_t draw = 0; draw < draws; ++draw)
        if (const Execution execution = execute(schedule, network, random); !execution.failure.empty())
            return execution.failure;
    if (is_in_steps(schedule))
        return "";
    constexpr std::size_t most_work = 20'000'000; // an execution takes the square of its transfers
    const std::size_t count = count_transfers(schedule);
    std::vector<std::uint32_t> held(count);
    std::iota(held.begin(), held.end(), 0U);
    if (count * count * count > most_work) {
        const auto fewer = std::max<std::size_t>(most_work / (count * count), 2);
        for (std::size_t i = 0; i < fewer; ++i)
            std::swap(held[i], held[i + random.below(static_cast<std::uint32_t>(count - i))]);
        held.resize(fewer);
    }
    for (const std::uint32_t one : held)
        if (const Execution execution = execute_while_open(schedule, network, one, random);
            !execution.failure.empty())
            return execution.failure;
    return "";
}

} // namespace nocturne::test
