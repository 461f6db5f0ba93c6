// The plugin that message_passing.cpp loads: Boost.MPI behind MessagePassing.
#include "schedules/ranks/message_passing.hpp"

#include <boost/mpi.hpp>

namespace nocturne {
namespace {

namespace mpi = boost::mpi;

/// All messages; what they are is in their content.
constexpr int tag = 1;

std::optional<RankMessage> receive_from(const mpi::communicator& world)
{
    const auto status = world.iprobe(mpi::any_source, tag);
    if (!status)
        return std::nullopt;
    RankMessage message{static_cast<std::uint32_t>(status->source()), {}};
    const auto size = status->count<unsigned char>();
    message.content.resize(static_cast<std::size_t>(size.value_or(0)));
    world.recv(status->source(), tag, message.content.data(), static_cast<int>(message.content.size()));
    return message;
}

} // namespace

extern "C" void nocturne_open_message_passing(MessagePassing* messages);

/// Starts MPI and fills in what it does. MPI ends with finish(), not with the values.
extern "C" void nocturne_open_message_passing(MessagePassing* messages)
{
    auto* const environment = new mpi::environment(false); // an error reaches the command line as any other
    const mpi::communicator world;
    messages->rank = static_cast<std::uint32_t>(world.rank());
    messages->size = static_cast<std::uint32_t>(world.size());
    messages->send = [world](std::uint32_t to, std::span<const std::uint8_t> content) {
        world.send(static_cast<int>(to), tag, content.data(), static_cast<int>(content.size()));
    };
    messages->receive = [world] { return receive_from(world); };
    messages->finish = [environment] { delete environment; };
}

} // namespace nocturne
