#include "sim/execution/program.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

/// Staging buffers are places behind the chunks'.
PlaceId buffer_place(const Collective& collective, std::uint32_t buffer)
{
    return static_cast<PlaceId>(collective.chunks.size() + buffer);
}

std::uint64_t bytes_of(MessageId message, const Collective& collective, ChunkSizes sizes)
{
    return message < collective.chunks.size() ? sizes.of(collective, message) : sizes.bytes_per_weight;
}

class WorkloadCompiler {
public:
    WorkloadCompiler(const Workload& workload, const Collective& collective, ChunkSizes sizes,
                     const Memories& memories)
        : workload_(workload), collective_(collective), sizes_(sizes), memories_(memories),
          is_self_timed_(workload.synchronization == Synchronization::self_timed)
    {
    }

    Program compile()
    {
        program_.has_barriers = !is_self_timed_;
        for (const std::vector<EngineStep>& engine : workload_.engines)
            program_.steps = std::max(program_.steps, static_cast<std::uint32_t>(engine.size()));
        add_steps();
        const std::size_t engine_tasks = program_.tasks.size();
        if (is_self_timed_)
            chain_steps();
        else
            add_barriers(engine_tasks);
        set_receivers();
        program_.close(before_and_after_);
        return std::move(program_);
    }

private:
    /// Tasks in the order of engines and their steps.
    void add_steps()
    {
        for (ProcessorId id = 0; id < workload_.engines.size(); ++id) {
            const std::vector<EngineStep>& steps = workload_.engines[id];
            task_of_.emplace_back();
            bool has_started_up = false;
            std::uint32_t buffer = 0;
            for (std::uint32_t step = 0; step < steps.size(); ++step) {
                const bool is_idle = steps[step].sends.empty() && steps[step].expected == 0;
                task_of_[id].push_back(static_cast<TaskId>(program_.tasks.size()));
                if (is_idle && !is_self_timed_)
                    continue;
                ProgramTask task = program_.next_task();
                task.processor = id;
                task.step = step;
                task.expected = steps[step].expected;
                task.starts_up = !steps[step].sends.empty() &&
                                 (workload_.start_up == StartUp::every_step || !has_started_up);
                has_started_up = has_started_up || task.starts_up;
                add_messages(id, steps[step]);
                buffer = add_combinations(id, step, buffer);
                program_.tasks.push_back(task);
            }
        }
    }

    void add_messages(ProcessorId id, const EngineStep& step)
    {
        const auto task = static_cast<TaskId>(program_.tasks.size());
        for (const Sending& sending : step.sends) {
            const PlaceId to =
                sending.buffer == no_buffer ? sending.message : buffer_place(collective_, sending.buffer);
            program_.messages.push_back({.source = id,
                                         .destination = sending.destination,
                                         .route = workload_.adaptive ? nullptr : &sending.route,
                                         .bytes = bytes_of(sending.message, collective_, sizes_),
                                         .from = memories_.slot(id, sending.message),
                                         .to = memories_.slot(sending.destination, to),
                                         .operation = Operation::copy,
                                         .sender = task,
                                         .awaited_by = sending.remote_step}); // a task in the end
        }
    }

    std::uint32_t add_combinations(ProcessorId id, std::uint32_t step, std::uint32_t buffer)
    {
        const std::span<const Combination> combinations = workload_.combinations_of(id);
        for (; buffer < combinations.size() && combinations[buffer].step == step; ++buffer) {
            const MessageId message = combinations[buffer].message;
            program_.locals.push_back({memories_.slot(id, buffer_place(collective_, buffer)),
                                       memories_.slot(id, message), bytes_of(message, collective_, sizes_),
                                       combinations[buffer].operation});
        }
        return buffer;
    }

    void wait_for(TaskId before, TaskId after)
    {
        before_and_after_.emplace_back(before, after);
        ++program_.tasks[after].waits;
    }

    void chain_steps()
    {
        for (const std::vector<TaskId>& tasks : task_of_)
            for (std::size_t step = 1; step < tasks.size(); ++step)
                wait_for(tasks[step - 1], tasks[step]);
    }

    /// Behind each step a task that all of its engines end before, and those of the next step begin after.
    void add_barriers(std::size_t engine_tasks)
    {
        const auto first_barrier = static_cast<TaskId>(engine_tasks);
        for (std::uint32_t step = 0; step < program_.steps; ++step) {
            program_.tasks.push_back(program_.next_task());
            program_.tasks.back().step = step;
        }
        std::vector<std::uint32_t> engines(program_.steps, 0);
        for (TaskId task = 0; task < first_barrier; ++task) {
            const std::uint32_t step = program_.tasks[task].step;
            ++engines[step];
            wait_for(task, first_barrier + step);
            if (step > 0)
                wait_for(first_barrier + step - 1, task);
        }
        for (std::uint32_t step = 1; step < program_.steps; ++step)
            if (engines[step] == 0)
                wait_for(first_barrier + step - 1, first_barrier + step);
    }

    void set_receivers()
    {
        for (ProgramMessage& message : program_.messages)
            message.awaited_by = task_of_[message.destination][message.awaited_by];
    }

    const Workload& workload_;
    const Collective& collective_;
    const ChunkSizes sizes_;
    const Memories& memories_;
    const bool is_self_timed_;
    std::vector<std::vector<TaskId>> task_of_; ///< by processor and step
    std::vector<std::pair<std::uint32_t, std::uint32_t>> before_and_after_;
    Program program_;
};

} // namespace

void Program::close(std::span<const std::pair<std::uint32_t, std::uint32_t>> ends)
{
    tasks.push_back(next_task());
    after_end = Followers(task_count(), ends);
    for (TaskId task = 0; task < task_count(); ++task)
        if (tasks[task].waits == 0)
            first.push_back(task);
}

std::vector<PlaceUse> places_of(const Workload& workload, const Collective& collective, ChunkSizes sizes)
{
    std::vector<PlaceUse> uses;
    for (ProcessorId id = 0; id < workload.engines.size(); ++id) {
        for (const EngineStep& step : workload.engines[id])
            for (const Sending& send : step.sends) {
                const std::uint64_t bytes = bytes_of(send.message, collective, sizes);
                uses.push_back({id, send.message, bytes});
                uses.push_back({send.destination, send.message, bytes});
            }
        const std::span<const Combination> combinations = workload.combinations_of(id);
        for (std::uint32_t buffer = 0; buffer < combinations.size(); ++buffer)
            uses.push_back({id, buffer_place(collective, buffer),
                            bytes_of(combinations[buffer].message, collective, sizes)});
    }
    return uses;
}

Program program_of(const Workload& workload, const Collective& collective, ChunkSizes sizes,
                   const Memories& memories)
{
    return WorkloadCompiler(workload, collective, sizes, memories).compile();
}

} // namespace nocturne
