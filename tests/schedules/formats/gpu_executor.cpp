#include "tests/schedules/formats/gpu_executor.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

namespace nocturne::test {

using nlohmann::json;

namespace {

constexpr int threads = 2;
constexpr int elements = 3;

/// Whose contributions it is the sum of: how often each.
using Value = std::map<std::array<int, 3>, int>;
using Chunk = std::array<Value, elements>;

Value sum(Value a, const Value& b)
{
    for (const auto& [key, count] : b)
        a[key] += count;
    return a;
}

struct Thread {
    int number;
    std::size_t operation = 0;
    std::size_t done = 0; ///< parts of the operation
};

struct Block {
    const json* plan;
    std::array<Thread, threads> thread{{{0}, {1}}};
    std::map<std::size_t, int> arrived; ///< threads, by barrier
};

struct Channel {
    std::size_t peer = 0, at_peer = 0;
    int told = 0, waited = 0;
};

struct Gpu {
    const json* plan;
    std::map<std::string, std::vector<Chunk>> memory;
    std::vector<Block> blocks;
    std::vector<Channel> channels;
    std::vector<int> semaphores;
    bool has_begun = false;

    bool has_ended() const
    {
        return std::ranges::all_of(blocks, [](const Block& block) {
            return std::ranges::all_of(block.thread, [&](const Thread& thread) {
                return thread.operation == (*block.plan)["ops"].size();
            });
        });
    }
};

class Executor {
public:
    explicit Executor(const json& plan) : plan_(plan), gpus_(plan["gpus"].size())
    {
        for (std::size_t id = 0; id < gpus_.size(); ++id) {
            Gpu& gpu = gpus_[id];
            gpu.plan = &plan["gpus"][id];
            for (const json& block : (*gpu.plan)["threadblocks"])
                gpu.blocks.push_back({&block, {{{0}, {1}}}, {}});
            for (const json& semaphore : (*gpu.plan)["semaphores"])
                gpu.semaphores.push_back(semaphore["init_value"]);
            for (const json& channels : (*gpu.plan)["channels"])
                for (const json& peer : channels["connected_to"])
                    gpu.channels.push_back({.peer = peer});
            check_limits(gpu);
            fill(id);
        }
        connect();
    }

    void run(std::uint64_t seed)
    {
        std::mt19937_64 random(seed);
        struct Turn {
            std::size_t gpu;
            Block* block;
            Thread* thread;
            unsigned weight;
        };
        std::vector<Turn> turns;
        std::vector<unsigned> weights(gpus_.size());
        for (std::size_t id = 0; id < gpus_.size(); ++id) {
            weights[id] = 1U << random() % 6; // some are slow
            for (Block& block : gpus_[id].blocks)
                for (Thread& thread : block.thread)
                    turns.push_back({id, &block, &thread, weights[id] << random() % 6});
        }
        while (!turns.empty()) {
            unsigned all = 0;
            for (const Turn& turn : turns)
                all += turn.weight;
            unsigned drawn = static_cast<unsigned>(random() % all);
            std::size_t first = 0;
            while (drawn >= turns[first].weight)
                drawn -= turns[first++].weight;
            bool has_moved = false;
            for (std::size_t it = 0; it < turns.size() && !has_moved; ++it) {
                const Turn turn = turns[(first + it) % turns.size()];
                has_moved = step(gpus_[turn.gpu], *turn.block, *turn.thread);
            }
            if (!has_moved)
                throw std::runtime_error("everything waits");
            std::erase_if(turns, [](const Turn& turn) {
                return turn.thread->operation == (*turn.block->plan)["ops"].size();
            });
        }
        check_results();
    }

private:
    static void check_limits(const Gpu& gpu)
    {
        const auto most = [](std::size_t value, std::size_t limit, const char* what) {
            if (value > limit)
                throw std::runtime_error(std::string("too many ") + what);
        };
        most(gpu.semaphores.size(), 16, "semaphores");
        for (const Block& block : gpu.blocks) {
            most((*block.plan)["ops"].size(), 64, "operations");
            for (const json& channels : (*block.plan)["channels"])
                most(channels["channel_ids"].size(), 16, "channels");
            for (const json& buffers : (*block.plan)["remote_buffer_refs"])
                most(buffers["remote_buffer_ids"].size(), 16, "remote buffers");
            for (const json& operation : (*block.plan)["ops"]) {
                most(operation.value("channel_ids", json::array()).size(), 8, "channels of an operation");
                most(operation.value("dst_buff", json::array()).size(), 10, "chunks of an operation");
            }
        }
    }

    void fill(std::size_t id)
    {
        Gpu& gpu = gpus_[id];
        const std::string collective = plan_["collective"];
        const auto resize = [&](const char* buffer, const char* count) {
            gpu.memory[buffer].assign((*gpu.plan)[count], Chunk{});
            for (Chunk& chunk : gpu.memory[buffer])
                chunk.fill({{{-1, -1, -1}, 1}}); // whatever was there
        };
        resize("i", "input_chunks");
        resize("o", "output_chunks");
        resize("s", "scratch_chunks");
        const bool gathers = collective == "allgather";
        auto& own = gpu.memory[gathers ? "o" : "i"];
        const std::size_t parts = (*gpu.plan)["input_chunks"];
        for (std::size_t c = 0; c < own.size(); ++c)
            if (!gathers || c / parts == id)
                for (int e = 0; e < elements; ++e)
                    own[c][e] = {{{static_cast<int>(id), static_cast<int>(c), e}, 1}};
    }

    void connect()
    {
        std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> ends;
        for (std::size_t id = 0; id < gpus_.size(); ++id)
            for (std::size_t c = 0; c < gpus_[id].channels.size(); ++c)
                ends[{id, gpus_[id].channels[c].peer}].push_back(c);
        for (const auto& [key, here] : ends) {
            const auto& there = ends[{key.second, key.first}];
            if (here.size() != there.size())
                throw std::runtime_error("a channel has one end");
            for (std::size_t k = 0; k < here.size(); ++k)
                gpus_[key.first].channels[here[k]].at_peer = there[k];
        }
    }

    /// False if the thread has to wait, or has ended.
    bool step(Gpu& gpu, Block& block, Thread& thread)
    {
        const json& operations = (*block.plan)["ops"];
        if (thread.operation == operations.size())
            return false;
        gpu.has_begun = true;
        const json& operation = operations[thread.operation];
        const std::string name = operation["name"];
        const auto next = [&] {
            ++thread.operation;
            thread.done = 0;
            return true;
        };
        if (name == "nop") {
            int& arrived = block.arrived[thread.operation];
            if (thread.done == 0) {
                thread.done = 1;
                ++arrived;
                return true;
            }
            return arrived == threads && next();
        }
        if (name == "signal" || name == "wait") {
            const json& ids = operation["channel_ids"];
            for (; thread.done < ids.size(); ++thread.done) {
                if (static_cast<int>(thread.done % threads) != thread.number)
                    continue;
                Channel& channel = gpu.channels.at(
                    (*block.plan)["channels"][0]["channel_ids"].at(ids[thread.done].get<std::size_t>()));
                if (name == "signal")
                    ++gpus_[channel.peer].channels[channel.at_peer].told;
                else if (channel.told <= channel.waited)
                    return false;
                else
                    ++channel.waited;
            }
            return next();
        }
        if (name == "sem_acquire" || name == "sem_release") {
            const json& ids = operation["semaphore_ids"];
            for (; thread.done < ids.size(); ++thread.done) {
                if (static_cast<int>(thread.done % threads) != thread.number)
                    continue;
                int& semaphore = gpu.semaphores.at(ids[thread.done].get<std::size_t>());
                if (name == "sem_release")
                    ++semaphore;
                else if (semaphore <= 0)
                    return false;
                else
                    --semaphore;
            }
            return next();
        }
        // Data: which thread has an element is another matter in each operation.
        const std::size_t chunks = operation["dst_buff"].size();
        while (thread.done < chunks * elements) {
            const std::size_t element = thread.done % elements, chunk = thread.done / elements;
            ++thread.done;
            if (static_cast<int>((element + thread.operation) % threads) == thread.number) {
                move(gpu, block, operation, name, chunk, element);
                return true;
            }
        }
        return next();
    }

    Value& place(Gpu& gpu, const Block& block, const json& operand, std::size_t element,
                 const json& local_type)
    {
        if (operand["size"] != 1)
            throw std::runtime_error("more than a chunk");
        if (!operand.contains("buffer_id"))
            return gpu.memory.at(local_type).at(operand["index"].get<std::size_t>()).at(element);
        const json& references = (*block.plan)["remote_buffer_refs"][0];
        const json& buffer = (*gpu.plan)["remote_buffers"].at(
            references["remote_buffer_ids"].at(operand["buffer_id"].get<std::size_t>()).get<std::size_t>());
        Gpu& other = gpus_.at(buffer["rank"].get<std::size_t>());
        if (!other.has_begun || other.has_ended())
            throw std::runtime_error("memory of a GPU whose kernel does not run");
        return other.memory.at(buffer["type"]).at(operand["index"].get<std::size_t>()).at(element);
    }

    void move(Gpu& gpu, const Block& block, const json& operation, const std::string& name, std::size_t chunk,
              std::size_t element)
    {
        const json& sources = operation["src_buff"];
        const json& destination = operation["dst_buff"][chunk];
        const auto source = [&](std::size_t it) {
            // The kernel takes the buffer of all sources of a put from the first.
            const json& type = name == "put" ? sources[0].at("type") : sources[it].value("type", json());
            return place(gpu, block, sources[it], element, type);
        };
        Value value = source(name == "put" ? chunk : 0);
        if (name == "re" || name == "rre")
            for (std::size_t it = 1; it < sources.size(); ++it)
                value = sum(std::move(value), source(it));
        else if (name != "put" && name != "copy")
            throw std::runtime_error("unknown operation " + name);
        place(gpu, block, destination, element, destination.value("type", json())) = std::move(value);
    }

    void check_results() const
    {
        const std::string collective = plan_["collective"];
        const auto n = static_cast<int>(gpus_.size());
        for (int id = 0; id < n; ++id) {
            const Gpu& gpu = gpus_[static_cast<std::size_t>(id)];
            for (const Channel& channel : gpu.channels)
                if (channel.told != channel.waited)
                    throw std::runtime_error("a signal that nobody has waited for");
            if (std::any_of(gpu.semaphores.begin(), gpu.semaphores.end(),
                            [](int count) { return count != 0; }))
                throw std::runtime_error("a semaphore is not as it was");
            const bool from_output = collective == "allgather" || collective == "alltoall";
            const auto& result = gpu.memory.at(from_output ? "o" : "i");
            const auto chunks = static_cast<int>(result.size());
            for (int c = 0; c < chunks; ++c)
                for (int e = 0; e < elements; ++e) {
                    const int parts = chunks / n; // where there are blocks
                    Value expected;
                    if (collective == "allgather")
                        expected = {{{c / parts, c, e}, 1}};
                    else if (collective == "alltoall")
                        expected = {{{c / parts, id * parts + c % parts, e}, 1}};
                    else if (collective == "reducescatter" && c / parts != id)
                        continue;
                    else
                        for (int from = 0; from < n; ++from)
                            expected[{from, c, e}] = 1;
                    if (result[static_cast<std::size_t>(c)][static_cast<std::size_t>(e)] != expected)
                        throw std::runtime_error("GPU " + std::to_string(id) +
                                                 " has something else in chunk " + std::to_string(c));
                }
        }
    }

    const json& plan_;
    std::vector<Gpu> gpus_;
};

} // namespace

std::string execute(const json& plan, std::uint64_t seed)
{
    try {
        Executor(plan).run(seed);
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace nocturne::test
