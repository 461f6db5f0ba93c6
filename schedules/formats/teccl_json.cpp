#include "schedules/formats/teccl_json.hpp"

#include "models/topology/json_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace nocturne {

namespace {

/// `Chunk 0 from 9 traveled over 9->11 in epoch 3 via switches 0`
struct Flow {
    std::uint32_t chunk, root;
    std::vector<std::uint32_t> nodes; ///< source, what is crossed, destination
    std::uint32_t epoch;
    std::string place;
};

constexpr std::uint32_t most_nodes = 65536;

std::uint32_t number_in(const JsonPlace& place, const std::string& digits)
{
    std::uint32_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || rest != end || number >= most_nodes)
        place.fail(fmt::format("'{}' is no number below {}", digits, most_nodes));
    return number;
}

/// The number behind a word, as in `GPU 3`.
std::uint32_t number_behind(const JsonPlace& place, const std::string& text, const std::string& word)
{
    if (!text.starts_with(word + " "))
        place.fail(fmt::format("'{}': expected \"{} 0\" or another number", text, word));
    return number_in(place, text.substr(word.size() + 1));
}

Flow read_flow(const JsonPlace& place, std::size_t index)
{
    const auto is_flow = [&](bool it_is) {
        if (!it_is)
            place.fail(
                "expected \"Chunk 0 from 1 traveled over 1->2 in epoch 0\", perhaps \"via switches 3\"");
    };
    std::istringstream words(place.text());
    const auto next = [&] {
        std::string word;
        words >> word;
        return word;
    };
    const auto number_after = [&](const char* expected) {
        is_flow(next() == expected);
        return number_in(place, next());
    };
    Flow flow{};
    flow.chunk = number_after("Chunk");
    flow.root = number_after("from");
    is_flow(next() == "traveled" && next() == "over");
    const std::string way = next();
    const std::size_t arrow = way.find("->");
    is_flow(arrow != std::string::npos);
    flow.nodes.push_back(number_in(place, way.substr(0, arrow)));
    std::string word = next();
    if (word == "with")
        place.fail("volumes of parts of chunks are not read");
    is_flow(word == "in");
    flow.epoch = number_after("epoch");
    if (word = next(); word == "via") {
        is_flow(next() == "switches");
        while (words >> word)
            flow.nodes.push_back(
                number_in(place, word.back() == ',' ? word.substr(0, word.size() - 1) : word));
    } else {
        is_flow(word.empty());
    }
    flow.nodes.push_back(number_in(place, way.substr(arrow + 2)));
    flow.place = fmt::format("flow {}", index + 1);
    return flow;
}

class TecclReader {
public:
    TecclReader(const nlohmann::json& document, std::string_view origin, const LinkNetwork& network)
        : document_(document), origin_(origin), root_(document, origin), network_(network)
    {
    }

    ForeignSchedule read()
    {
        read_demands();
        for (const JsonPlace& place : root_["7-Flows"].elements())
            flows_.push_back(read_flow(place, flows_.size()));
        std::stable_sort(flows_.begin(), flows_.end(),
                         [](const Flow& a, const Flow& b) { return a.epoch < b.epoch; });
        number_nodes();
        set_collective();
        for (const Flow& flow : flows_)
            add(flow);
        return std::move(foreign_);
    }

private:
    void read_demands()
    {
        const JsonPlace demands = root_["6-Demand_Met"];
        if (!document_["6-Demand_Met"].is_object())
            demands.fail("expected an object");
        for (const auto& [source, receivers] : document_["6-Demand_Met"].items()) {
            const std::uint32_t from = number_behind(demands, source, "GPU");
            gpus_.insert(from);
            if (!receivers.is_object())
                demands[source].fail("expected an object");
            for (const auto& [receiver, chunks] : receivers.items()) {
                const std::uint32_t to = number_behind(demands[source], receiver, "GPU");
                gpus_.insert(to);
                if (!chunks.is_object())
                    demands[source][receiver].fail("expected an object");
                for (const auto& chunk : chunks.items()) {
                    const std::uint32_t number = number_behind(demands[source], chunk.key(), "Chunk");
                    parts_ = std::max(parts_, number + 1);
                    owed_.insert({from, to, number});
                }
            }
        }
        if (owed_.empty())
            demands.fail("it has no demands");
    }

    void number_nodes()
    {
        std::set<std::uint32_t> all = gpus_;
        for (const Flow& flow : flows_)
            all.insert(flow.nodes.begin(), flow.nodes.end());
        if (*all.rbegin() < network_.processor_count()) {
            for (const std::uint32_t node : all)
                node_of_[node] = node;
            return;
        }
        if (gpus_.size() != network_.processor_count() || all.size() > network_.node_count())
            throw std::runtime_error(
                fmt::format("{}: it has {} GPUs and {} other nodes, {} has {} processors "
                            "and {} switches",
                            origin_, gpus_.size(), all.size() - gpus_.size(), network_.name(),
                            network_.processor_count(), network_.node_count() - network_.processor_count()));
        NodeId next = 0;
        for (const std::uint32_t gpu : gpus_)
            node_of_[gpu] = next++;
        for (const std::uint32_t node : all)
            if (!gpus_.contains(node))
                node_of_[node] = next++;
    }

    /// An allgather if all owe all, else what is owed.
    void set_collective()
    {
        ChunkedSchedule& schedule = foreign_.schedule;
        schedule.source = "TE-CCL";
        schedule.topology = network_.name();
        schedule.synchronization = ChunkSynchronization::dependencies;
        ChunkedShape shape{.processors = network_.processor_count(), .parts = parts_};
        if (gpus_.size() < network_.processor_count())
            for (const std::uint32_t gpu : gpus_)
                shape.group.push_back(node_of_[gpu]);
        const std::size_t n = gpus_.size();
        if (n < 2 || owed_.size() != n * (n - 1) * parts_)
            throw std::runtime_error(
                fmt::format("{}: its demands are no allgather of {} GPUs in {} chunks", origin_, n, parts_));
        schedule.collective = chunked_allgather(shape);
        std::uint32_t block = 0;
        for (const std::uint32_t gpu : gpus_)
            block_of_[gpu] = block++;
        next_scratch_ = static_cast<PlaceId>(schedule.collective.chunks.size());
        if (n < network_.processor_count())
            schedule.name = fmt::format("{} of {} processors", n, network_.processor_count());
    }

    void add(const Flow& flow)
    {
        const auto block = block_of_.find(flow.root);
        if (block == block_of_.end() || flow.chunk >= parts_)
            throw std::runtime_error(fmt::format("{}: {}: chunk {} of node {} is owed to nobody", origin_,
                                                 flow.place, flow.chunk, flow.root));
        const PlaceId chunk = block->second * parts_ + flow.chunk;
        std::vector<NodeId> nodes;
        for (const std::uint32_t node : flow.nodes)
            nodes.push_back(node_of_[node]);
        ChunkTransfer transfer{.source = nodes.front(),
                               .destination = nodes.back(),
                               .from = chunk,
                               .to = chunk,
                               .path = path_over(network_, nodes)};
        const auto id = static_cast<std::uint32_t>(foreign_.schedule.transfers.size());
        if (const auto brought = brought_by_.find({transfer.source, chunk}); brought != brought_by_.end())
            transfer.after = {brought->second};
        if (!brought_by_.emplace(std::pair(transfer.destination, chunk), id).second)
            transfer.to = next_scratch_++; // it is there: nobody reads it
        foreign_.schedule.transfers.push_back(std::move(transfer));
        foreign_.places.push_back(flow.place);
    }

    const nlohmann::json& document_;
    std::string_view origin_;
    JsonPlace root_;
    const LinkNetwork& network_;
    std::set<std::uint32_t> gpus_;                ///< by the file's numbers
    std::set<std::array<std::uint32_t, 3>> owed_; ///< from, to, chunk
    std::uint32_t parts_ = 0;
    std::vector<Flow> flows_;
    std::map<std::uint32_t, NodeId> node_of_;
    std::map<std::uint32_t, std::uint32_t> block_of_;
    std::map<std::pair<NodeId, PlaceId>, std::uint32_t> brought_by_;
    PlaceId next_scratch_ = 0;
    ForeignSchedule foreign_;
};

} // namespace

bool is_teccl_json(std::string_view text)
{
    return text.substr(0, 4096).find("\"1-Epoch_Duration\"") != std::string_view::npos;
}

ForeignSchedule read_teccl_json(std::string_view text, std::string_view origin, const LinkNetwork& network)
{
    const nlohmann::json document = parse_json(text, origin);
    return TecclReader(document, origin, network).read();
}

} // namespace nocturne
