#include "schedules/ranks/message_passing.hpp"

#include "models/text/number.hpp"
#include "schedules/workers/job_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <unistd.h>

namespace nocturne {
namespace {

// Open MPI's own, PMIx (srun --mpi=pmix), PMI (MPICH).
constexpr std::initializer_list<const char*> rank_variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

/// The first of these variables of the environment that is a number.
std::optional<std::uint32_t> number_in(std::initializer_list<const char*> variables)
{
    for (const char* const variable : variables) {
        const char* const text = std::getenv(variable);
        if (const auto number = text == nullptr ? std::nullopt : number_of<std::uint32_t>(text))
            return number;
    }
    return std::nullopt;
}

/// Beside the program, or where it is installed; null if it is nowhere.
void* load_plugin()
{
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    for (const auto& place : {folder, folder / NOCTURNE_PLUGIN_FOLDER}) {
        const std::filesystem::path file = place / "nocturne_mpi.so";
        if (!std::filesystem::exists(file))
            continue;
        // Open MPI loads parts of itself that look for its names among those of the program.
        if (void* const plugin = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL); plugin != nullptr)
            return plugin;
        throw std::runtime_error(fmt::format("MPI cannot be loaded: {}", ::dlerror()));
    }
    return nullptr;
}

} // namespace

std::optional<RankEnvironment> rank_environment()
{
    const auto rank = number_in(rank_variables);
    if (!rank)
        return std::nullopt;
    const auto local_size =
        number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"});
    return RankEnvironment{*rank, std::max(1u, local_size.value_or(1))};
}

void leave_rank_environment()
{
    for (const char* const variable : rank_variables)
        unsetenv(variable);
}

unsigned cores_of(const RankEnvironment& environment)
{
    const auto cores = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    return std::min(usable_cores(), std::max(1u, cores / environment.local_size));
}

MessagePassing open_message_passing()
{
    void* const plugin = load_plugin();
    if (plugin == nullptr)
        throw std::runtime_error("started as a rank of an MPI job, but built without MPI: its plugin, "
                                 "nocturne_mpi.so, is not there");
    using Open = void (*)(MessagePassing*);
    const auto open = reinterpret_cast<Open>(::dlsym(plugin, "nocturne_open_message_passing"));
    if (open == nullptr)
        throw std::runtime_error("nocturne_mpi.so: not the plugin of this nocturne");
    MessagePassing messages;
    open(&messages);
    return messages;
}

} // namespace nocturne
