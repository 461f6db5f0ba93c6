#include "schedules/chunks/collective_json.hpp"

#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Numbers = std::vector<std::uint32_t>;

Numbers numbers_at(const JsonPlace& place)
{
    Numbers numbers;
    for (const JsonPlace& element : place.elements())
        numbers.push_back(element.number(0));
    return numbers;
}

Collective read_chunks(const JsonPlace& place, Collective collective)
{
    place.check_members({"kind", "parts", "chunks", "demands"});
    for (const JsonPlace& chunk : place["chunks"].elements()) {
        chunk.check_members({"weight", "contributors"});
        collective.chunks.push_back(
            {chunk.has("weight") ? chunk["weight"].number(1) : 1, numbers_at(chunk["contributors"])});
    }
    std::vector<Demand> demands;
    for (const JsonPlace& demand : place["demands"].elements()) {
        demand.check_members({"chunk", "receiver", "contributors"});
        const ChunkId chunk = demand["chunk"].number(0);
        if (chunk >= collective.chunks.size())
            demand["chunk"].fail("no such chunk");
        demands.push_back({chunk, demand["receiver"].number(0),
                           demand.has("contributors") ? ProcessorList(numbers_at(demand["contributors"]))
                                                      : collective.chunks[chunk].contributors});
    }
    collective.demands = Demands(std::move(demands));
    return collective;
}

} // namespace

OrderedJson to_json(const Collective& collective)
{
    OrderedJson json{{"kind", to_string(collective.kind)}, {"parts", collective.parts}};
    if (const auto participants = participants_of(collective)) {
        const auto add = [&](const char* name, const Numbers& numbers) {
            if (!numbers.empty())
                json[name] = numbers;
        };
        add("group", participants->group);
        if (participants->source)
            json["root"] = *participants->source;
        add("senders", participants->senders);
        add("receivers", participants->receivers);
        add("image", participants->image);
        add("weights", participants->weights);
        return json;
    }
    json["kind"] = to_string(CollectiveKind::custom);
    OrderedJson chunks = OrderedJson::array();
    for (const Chunk& chunk : collective.chunks)
        chunks.push_back({{"weight", chunk.weight}, {"contributors", Numbers(chunk.contributors)}});
    OrderedJson demands = OrderedJson::array();
    for (const Demand& demand : collective.demands) {
        OrderedJson owed{{"chunk", demand.chunk}, {"receiver", demand.receiver}};
        if (demand.chunk >= collective.chunks.size() ||
            demand.contributors != collective.chunks[demand.chunk].contributors)
            owed["contributors"] = Numbers(demand.contributors);
        demands.push_back(std::move(owed));
    }
    json["chunks"] = std::move(chunks);
    json["demands"] = std::move(demands);
    return json;
}

Collective read_collective_in_chunks(const JsonPlace& place, std::uint32_t processors,
                                     std::uint64_t most_results)
{
    const JsonPlace kind_place = place["kind"];
    const CollectiveKind kind = kind_place.here([&] { return parse_collective_kind(kind_place.text()); });
    Participants participants;
    participants.parts = place.has("parts") ? place["parts"].number(1) : 1;
    if (kind == CollectiveKind::custom)
        return read_chunks(place, {.kind = kind, .processors = processors, .parts = participants.parts});
    place.check_members({"kind", "parts", "group", "root", "senders", "receivers", "image", "weights"});
    const auto list = [&](const char* name) { return place.has(name) ? numbers_at(place[name]) : Numbers{}; };
    participants.group = list("group");
    if (place.has("root"))
        participants.source = place["root"].number(0);
    participants.senders = list("senders");
    participants.receivers = list("receivers");
    participants.image = list("image");
    participants.weights = list("weights");
    if (const std::uint64_t results = results_of(kind, processors, participants); results > most_results)
        place.fail(fmt::format("{} results are owed, more than the {} that such a file is read for", results,
                               most_results));
    return place.here([&] { return make_collective(kind, processors, participants); });
}

} // namespace nocturne
