#include "schedules/schedule/chunk_files.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/json_place.hpp"
#include "schedules/collective/collective.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

void rename(OrderedJson& json, const char* from, const char* to)
{
    if (!json.is_object() || !json.contains(from))
        return;
    json[to] = std::move(json[from]);
    json.erase(from);
}

/// A root of what does not come to one is a source.
void renew_collective(OrderedJson& collective)
{
    if (!collective.is_object() || !collective.contains("kind") || !collective["kind"].is_string())
        return;
    try {
        if (!is_to_one(parse_collective_kind(collective["kind"].get<std::string>())))
            rename(collective, "root", "source");
    } catch (const std::invalid_argument&) {
        return; // the reader says so
    }
}

/// Puts transfers into their steps.
class Renewal {
public:
    Renewal(OrderedJson& document, std::string_view origin) : document_(document), origin_(origin) {}

    OrderedJson steps()
    {
        const bool in_steps = document_.value("synchronization", OrderedJson()) != "dependencies";
        const bool has_rounds = document_.contains("rounds") && document_["rounds"].is_array();
        OrderedJson steps(in_steps && has_rounds ? document_["rounds"].size() : 1, OrderedJson::array());
        OrderedJson& transfers = document_["transfers"];
        for (std::size_t id = 0; id < transfers.size(); ++id) {
            const std::size_t step = step_of(transfers[id], id);
            if (step >= steps.size())
                fail(id, in_steps ? fmt::format("step {} does not exist", step + 1)
                                  : "it has a step, in a schedule without");
            rename(transfers[id], "chunk", "message");
            rename(transfers[id], "read", "message");
            rename(transfers[id], "links", "channels");
            steps[step].push_back(std::move(transfers[id]));
        }
        return steps;
    }

private:
    std::size_t step_of(OrderedJson& transfer, std::size_t id) const
    {
        if (!transfer.is_object() ||
            transfer.contains("chunk") == (transfer.contains("read") || transfer.contains("write")))
            fail(id, "expected 'chunk', or else 'read' and 'write'");
        if (!transfer.contains("step"))
            return 0;
        if (!transfer["step"].is_number_unsigned())
            fail(id, "expected a step");
        const auto step = transfer["step"].get<std::size_t>();
        transfer.erase("step");
        return step;
    }

    [[noreturn]] void fail(std::size_t id, std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: /transfers/{}: {}", origin_, id, reason));
    }

    OrderedJson& document_;
    std::string_view origin_;
};

} // namespace

std::optional<std::string> renewed_chunk_file(std::string_view text, std::string_view origin)
{
    // Far enough for a heading, in whatever order its members are.
    if (text.substr(0, 4096).find("\"nocturne-chunks\"") == std::string_view::npos)
        return std::nullopt;
    OrderedJson document = ordered_json_or_discarded(text);
    if (!document.is_object() || !document.contains("format") || document["format"] != "nocturne-chunks")
        return std::nullopt;
    if (document.value("version", OrderedJson()) != 1)
        throw std::runtime_error(fmt::format("{}: /version: files of chunks have version 1", origin));
    const bool is_bound = !document.contains("transfers") && document.contains("lower_bounds");
    document["format"] = is_bound ? "nocturne-bound" : "nocturne-schedule";
    document["version"] = 3;
    document["switching"] = "memory-to-memory";
    if (document.contains("collective"))
        renew_collective(document["collective"]);
    if (!is_bound) {
        if (!document.contains("transfers") || !document["transfers"].is_array())
            throw std::runtime_error(fmt::format("{}: /transfers: expected a list of transfers", origin));
        document["steps"] = Renewal(document, origin).steps();
        document.erase("transfers");
    }
    return json_text(document);
}

} // namespace nocturne
