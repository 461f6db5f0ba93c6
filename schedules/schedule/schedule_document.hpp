// Reads schedules out of JSON documents that satisfy the schema; see schedule_json.hpp.
#pragma once

#include "models/topology/link_network.hpp"
#include "models/topology/plain_numbers.hpp"
#include "schedules/schedule/message_names.hpp"
#include "schedules/schedule/schedule.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nocturne {

/// Turns a document that satisfies the schema into a schedule.
class DocumentReader {
public:
    using Json = nlohmann::json;
    DocumentReader(const Topology& topology, std::string_view origin) : topology_(topology), origin_(origin)
    {
    }

    /// Has a plain number in a text been an index? Then all that follow are.
    bool has_index() const { return numbers_.has_index(); }

    /// Everything but the steps, in which there are so many transfers.
    Schedule head(const Json& json, std::uint64_t transfers);
    void read_steps(const Json& json, Schedule& schedule);
    /// Checks what the steps of a schedule are together, and says what they have left out.
    void complete(Schedule& schedule) const;
    const LinkDefaults& defaults() const { return defaults_; }

private:
    using Pointer = Json::json_pointer;

    [[noreturn]] void fail(const Pointer& at, std::string_view reason) const
    {
        const std::string pointer = at.to_string();
        throw std::runtime_error(fmt::format("{}: {}: {}", origin_, pointer.empty() ? "/" : pointer, reason));
    }

    /// Turns what a value refuses (std::invalid_argument) into an error at this place.
    template <class Action>
    auto here(const Pointer& at, Action action) const
    {
        try {
            return action();
        } catch (const std::invalid_argument& error) {
            fail(at, error.what());
        }
    }

    void check_version(const Json& json) const;
    void refuse(const Json& json, const Pointer& at, std::initializer_list<const char*> members) const;
    void read_promises(const Json& json, Schedule& schedule) const;
    std::vector<ChunkPlacement> placements(const Json& json, const char* name) const;
    ProcessorGrid grid(const Json& json, const Pointer& at) const;
    Collective collective(const Json& json, const Pointer& at);
    Collective custom_collective(const Json& json, std::uint32_t parts, const Pointer& at);
    std::uint64_t most_results() const;
    void add_images(Schedule& schedule) const;
    void read_memory_steps(const Json& json, Schedule& schedule);
    Transfer memory_transfer(const Json& json, const LinkNetwork& network, const Pointer& at);
    NodeId node(const Json& json, const Pointer& at);
    Transfer transfer(const Json& json, const Collective& collective, const MessageNames& names,
                      const Pointer& at);
    MessageId message(const Json& json, const Collective& collective, const MessageNames& names,
                      const Pointer& at);
    Path path(const Json& json, ProcessorId source, const Pointer& at);
    Path channels(const Json& json, const Pointer& at) const;
    ProcessorId processor(const Json& json, const Pointer& at)
    {
        return here(at, [&] { return numbers_.processor_in(json); });
    }
    std::vector<ProcessorId> processors(const Json& json, const Pointer& at);
    RouterId router(const Json& json, const Pointer& at)
    {
        return here(at, [&] { return numbers_.router_in(json); });
    }

    const Topology& topology_;
    std::string_view origin_;
    PlainNumbers numbers_{topology_, "vertices"};
    unsigned version_ = 1;
    LinkDefaults defaults_;
    std::optional<std::uint64_t> transfers_; ///< none: it is a bound
};

} // namespace nocturne
