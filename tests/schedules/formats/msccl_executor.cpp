#include "tests/schedules/formats/msccl_executor.hpp"

#include "tests/schedules/formats/msccl_transmissions.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <pugixml.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

namespace nocturne::test {

namespace {

/// Contributions as (GPU, place in its input); none: what was there before.
using Summands = std::set<std::array<int, 2>>;
/// By thread block, of all GPUs: how many of its actions are known to be over.
using Clock = std::vector<int>;

struct Message {
    std::vector<Summands> chunks;
    Clock clock;
};

struct BufferPlace {
    Summands value;
    struct Access {
        int block, time;
        bool is_write;
    };
    std::vector<Access> accesses = {};
};

struct BlockRun {
    int gpu = 0, number = 0, id = 0, send = -1, receive = -1, channel = 0;
    std::vector<Transmission> program;
    // What follows changes.
    std::size_t at = 0;
    int done = 0;  ///< chunks of the transmission
    int phase = 0; ///< 0: waits for flags, 1: for data and room, 2: loads, 3: stores
    int step = 0;
    int chunk = 0; ///< of the call
    std::vector<Summands> held = {};
    Clock clock = {};
    std::vector<std::pair<int, Clock>> flags = {};
};

class MscclExecutor {
public:
    MscclExecutor(const std::string& xml, bool in_place, std::uint64_t seed)
        : random_(seed), in_place_(in_place)
    {
        if (!document_.load_string(xml.c_str()))
            wrong("no XML");
        algo_ = document_.child("algo");
        gpus_ = number(algo_, "ngpus");
        chunks_ = number(algo_, "nchunksperloop");
        coll_ = algo_.attribute("coll").value();
        coll_ = coll_ == "reduce_scatter" ? "reducescatter" : coll_;
        const std::string proto = algo_.attribute("proto").value();
        constexpr std::array sizes{1, 2, 3, 71};
        at_once_ = std::max(sizes.at(seed % sizes.size()), least_at_once(proto));
        room_ = (proto == "Simple" ? 2 : 8) + static_cast<int>(seed / sizes.size() % 2) * 50;
        if (coll_ != "allreduce" && chunks_ % gpus_ != 0)
            wrong("no blocks");
        part_ = coll_ == "allreduce" ? chunks_ : chunks_ / gpus_;
        memory_.resize(gpus_);
        for (const pugi::xml_node& gpu : algo_.children("gpu"))
            load(gpu);
        for (BlockRun& block : blocks_)
            block.clock.assign(blocks_.size(), 0);
        fill();
    }

    void run()
    {
        std::vector<unsigned> weights;
        for (std::size_t block = 0; block < blocks_.size(); ++block)
            weights.push_back(1U << random_() % 8);
        while (true) {
            std::vector<std::size_t> order(blocks_.size());
            std::vector<double> keys(blocks_.size());
            for (std::size_t block = 0; block < order.size(); ++block) {
                order[block] = block;
                keys[block] = static_cast<double>(random_() % 1000) * weights[block];
            }
            std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
            bool has_moved = false;
            for (const std::size_t block : order)
                if (move(blocks_[block])) {
                    has_moved = true;
                    break;
                }
            if (!has_moved)
                break;
        }
        for (const BlockRun& block : blocks_)
            if (block.at < block.program.size())
                wrong("waits for ever");
        for (const auto& [key, messages] : connections_)
            if (!messages.empty())
                wrong("nobody receives");
        check_results();
    }

private:
    /// Chunks of a send at the largest size that the program is called with.
    int least_at_once(const std::string& proto) const
    {
        const double most_bytes = algo_.attribute("maxBytes").as_double(0);
        if (most_bytes == 0 || proto != "Simple")
            return 1;
        const double size = most_bytes / chunks_;
        int count = 1;
        while (count < 71 && (count + 1) * size <= 2 << 20)
            ++count;
        return count;
    }

    // Loading, as the executor's parser does.

    int size_of(char buffer) const
    {
        const bool is_part =
            (coll_ == "allgather" && buffer == 'i') || (coll_ == "reducescatter" && buffer == 'o');
        return is_part ? part_ : chunks_;
    }

    void load(const pugi::xml_node& gpu)
    {
        const int id = number(gpu, "id");
        std::map<char, int> declared{
            {'i', number(gpu, "i_chunks")}, {'o', number(gpu, "o_chunks")}, {'s', number(gpu, "s_chunks")}};
        for (const char buffer : {'i', 'o'})
            declared[buffer] = std::min(declared[buffer], size_of(buffer));
        memory_.at(id)['s'].resize(declared['s']);
        int count = 0;
        for (const pugi::xml_node& tb : gpu.children("tb")) {
            BlockRun block;
            block.gpu = id;
            block.number = count++;
            block.id = static_cast<int>(blocks_.size());
            block.send = number(tb, "send");
            block.receive = number(tb, "recv");
            block.channel = number(tb, "chan");
            if (std::ranges::distance(tb.children("step")) > 256)
                wrong("more steps than it has");
            for (const int peer : {block.send, block.receive})
                if (peer == id || peer >= gpus_ || peer < -1)
                    wrong("no such peer");
            if ((block.send >= 0 || block.receive >= 0) && block.channel >= number(algo_, "nchannels"))
                wrong("a channel that is not there");
            if (block.send >= 0 && !ends_.insert({0, id, block.send, block.channel}).second)
                wrong("two send over a connection");
            if (block.receive >= 0 && !ends_.insert({1, id, block.receive, block.channel}).second)
                wrong("two receive over a connection");
            block.program = load_transmissions(tb, block.send, block.receive, declared);
            blocks_.push_back(std::move(block));
        }
        for (const BlockRun& block : blocks_)
            for (const Transmission& one : block.program)
                for (const auto& wait : one.waits)
                    if (block.gpu == id && wait[0] >= count)
                        wrong("waits for no thread block");
    }

    void fill()
    {
        for (int gpu = 0; gpu < gpus_; ++gpu) {
            memory_[gpu]['i'].resize(size_of('i'));
            memory_[gpu]['o'].resize(size_of('o'));
            for (int offset = 0; offset < size_of('i'); ++offset)
                place(gpu, 'i', offset).value = {{gpu, offset}};
        }
    }

    BufferPlace& place(int gpu, char buffer, int offset)
    {
        if (in_place_ && coll_ == "allgather" && buffer == 'i')
            return memory_[gpu]['o'].at(gpu * part_ + offset);
        if (in_place_ && coll_ == "reducescatter" && buffer == 'o')
            return memory_[gpu]['i'].at(gpu * part_ + offset);
        if (in_place_ && (coll_ == "allreduce" || coll_ == "alltoall") && buffer == 'o')
            buffer = 'i';
        return memory_[gpu][buffer].at(offset);
    }

    // Running.

    BufferPlace& access(BlockRun& block, char buffer, int offset, bool is_write)
    {
        BufferPlace& it = place(block.gpu, buffer, offset);
        for (const BufferPlace::Access& other : it.accesses)
            if ((is_write || other.is_write) && other.block != block.id &&
                block.clock[other.block] < other.time)
                wrong("two thread blocks at one place at once");
        it.accesses.push_back({block.id, ++block.clock[block.id], is_write});
        return it;
    }

    static void join(Clock& clock, const Clock& other)
    {
        for (std::size_t i = 0; i < clock.size(); ++i)
            clock[i] = std::max(clock[i], other[i]);
    }

    Summands sum(Summands a, const Summands& b) const
    {
        if (a.empty() || b.empty())
            wrong("adds what was there before");
        const auto& x = *a.begin();
        const auto& y = *b.begin();
        const bool adds = coll_ == "allreduce" || coll_ == "reducescatter";
        if (!adds || x[1] != y[1])
            wrong("adds different chunks");
        for (const auto& one : b)
            if (!a.insert(one).second)
                wrong("counts twice");
        return a;
    }

    int calls_chunks(const BlockRun& block) const
    {
        return std::min(at_once_, block.program[block.at].count - block.done);
    }

    bool move(BlockRun& block)
    {
        if (block.at == block.program.size())
            return false;
        const Transmission& one = block.program[block.at];
        switch (block.phase) {
        case 0:
            return wait_for_flags(block, one);
        case 1:
            return begin_call(block, one);
        case 2:
            load_chunk(block, one);
            return true;
        default:
            store_chunk(block, one);
            return true;
        }
    }

    bool wait_for_flags(BlockRun& block, const Transmission& one)
    {
        std::vector<const Clock*> clocks;
        for (const auto& wait : one.waits) {
            const int number = wait[0];
            const int goal = wait[1];
            const BlockRun* other = nullptr;
            for (const BlockRun& candidate : blocks_)
                if (candidate.gpu == block.gpu && candidate.number == number)
                    other = &candidate;
            const auto flag =
                std::ranges::find_if(other->flags, [&](const auto& set) { return set.first >= goal; });
            if (flag == other->flags.end())
                return false;
            clocks.push_back(&flag->second);
        }
        for (const Clock* clock : clocks)
            join(block.clock, *clock);
        if (!one.waits.empty())
            block.step += static_cast<int>(one.waits.size()) - 1;
        block.phase = 1;
        end_if_done(block, one);
        return true;
    }

    std::deque<Message>& connection(int from, int to, int channel)
    {
        return connections_[{from, to, channel}];
    }

    /// A call takes so many chunks; data that has come and room for what is sent have to be there.
    bool begin_call(BlockRun& block, const Transmission& one)
    {
        if (one.receives() && connection(block.receive, block.gpu, block.channel).empty())
            return false;
        if (one.sends() && static_cast<int>(connection(block.gpu, block.send, block.channel).size()) >= room_)
            return false;
        const int chunks = calls_chunks(block);
        for (int i = 0; one.loads() && one.stores() && i < one.count; ++i)
            for (int j = 0; j < one.count; ++j)
                for (const int source : one.sources)
                    if (i != j && &place(block.gpu, one.source_buffer, source + i) ==
                                      &place(block.gpu, one.destination_buffer, one.destination + j))
                        wrong("overwrites what it reads");
        block.held.assign(chunks, {});
        if (one.receives()) {
            std::deque<Message>& from = connection(block.receive, block.gpu, block.channel);
            if (static_cast<int>(from.front().chunks.size()) != chunks)
                wrong("cut differently");
            block.held = from.front().chunks;
            join(block.clock, from.front().clock);
            from.pop_front();
        }
        block.chunk = 0;
        block.phase = 2;
        return true;
    }

    void load_chunk(BlockRun& block, const Transmission& one)
    {
        const int offset = block.done + block.chunk;
        Summands& held = block.held[block.chunk];
        if (one.type == "re") {
            held = access(block, one.destination_buffer, one.destination + offset, false).value;
            if (held.empty())
                wrong("reads what was there before");
        }
        if (one.loads())
            for (const int source : one.sources) {
                const Summands value = access(block, one.source_buffer, source + offset, false).value;
                if (value.empty())
                    wrong("reads what was there before");
                held = held.empty() ? value : sum(held, value);
            }
        if (++block.chunk == calls_chunks(block)) {
            block.chunk = 0;
            block.phase = 3;
        }
    }

    void store_chunk(BlockRun& block, const Transmission& one)
    {
        const int chunks = calls_chunks(block);
        if (one.stores())
            access(block, one.destination_buffer, one.destination + block.done + block.chunk, true).value =
                block.held[block.chunk];
        if (++block.chunk < chunks)
            return;
        ++block.clock[block.id];
        if (one.sends())
            connection(block.gpu, block.send, block.channel).push_back({block.held, block.clock});
        block.done += chunks;
        block.phase = 1;
        end_if_done(block, one);
    }

    void end_if_done(BlockRun& block, const Transmission& one)
    {
        if (block.done < one.count)
            return;
        block.step += static_cast<int>(one.sources.size()) - 1;
        ++block.clock[block.id];
        if (one.has_dependence)
            block.flags.emplace_back(block.step, block.clock);
        ++block.step;
        ++block.at;
        block.done = block.phase = 0;
    }

    void check_results()
    {
        for (int gpu = 0; gpu < gpus_; ++gpu)
            for (int offset = 0; offset < size_of('o'); ++offset) {
                Summands owed;
                if (coll_ == "allgather")
                    owed = {{offset / part_, offset % part_}};
                else if (coll_ == "alltoall")
                    owed = {{offset / part_, gpu * part_ + offset % part_}};
                else
                    for (int from = 0; from < gpus_; ++from)
                        owed.insert({from, coll_ == "allreduce" ? offset : gpu * part_ + offset});
                if (place(gpu, 'o', offset).value != owed)
                    wrong("a wrong result");
            }
    }

    std::mt19937_64 random_;
    bool in_place_;
    pugi::xml_document document_;
    pugi::xml_node algo_;
    std::string coll_;
    int gpus_ = 0, chunks_ = 0, part_ = 0, room_ = 0, at_once_ = 0;
    std::vector<std::map<char, std::vector<BufferPlace>>> memory_;
    std::set<std::array<int, 4>> ends_;
    std::vector<BlockRun> blocks_;
    std::map<std::array<int, 3>, std::deque<Message>> connections_;
};

} // namespace

std::string execute_msccl(const std::string& xml, bool in_place, std::uint64_t seed)
{
    try {
        MscclExecutor(xml, in_place, seed).run();
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace nocturne::test
