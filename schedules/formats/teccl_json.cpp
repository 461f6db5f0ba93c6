#include "schedules/formats/teccl_flow.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

namespace nocturne {

namespace {

class TecclReader {
public:
    TecclReader(const nlohmann::json& document, std::string_view origin, const LinkNetwork& network)
        : document_(document), origin_(origin), root_(document, origin), network_(network)
    {
    }

    ForeignSchedule read()
    {
        const bool is_allgather = document_.contains("6-Demand_Met");
        if (is_allgather)
            read_allgather();
        else
            read_alltoall();
        number_nodes();
        Schedule& schedule = foreign_.schedule;
        schedule = empty_schedule("", network_.name(), {}, ScheduleSynchronization::dependencies);
        schedule.source = "TE-CCL";
        if (gpus_.size() < network_.processor_count())
            schedule.name = fmt::format("{} of {} processors", gpus_.size(), network_.processor_count());
        schedule.collective = is_allgather ? make_allgather() : make_alltoall();
        next_scratch_ = static_cast<PlaceId>(schedule.collective.chunks.size());
        std::stable_sort(sendings_.begin(), sendings_.end(),
                         [](const Sending& a, const Sending& b) { return a.hop.epoch < b.hop.epoch; });
        for (const Sending& sending : sendings_)
            carry(sending);
        return std::move(foreign_);
    }

private:
    /// What the file sends, in its order.
    struct Sending {
        TecclHop hop;
        ChunkId chunk;
        std::string place;
    };

    /// A part of what one GPU owes another, on its own way.
    struct Parcel {
        TecclDemand demand;
        std::uint32_t millionths;
    };

    void read_allgather()
    {
        read_demands();
        std::map<std::uint32_t, std::uint32_t> block_of;
        for (const std::uint32_t gpu : gpus_)
            block_of.emplace(gpu, static_cast<std::uint32_t>(block_of.size()));
        for (const JsonPlace& place : root_["7-Flows"].elements()) {
            TecclFlow flow = read_teccl_flow(place);
            if (flow.hop.has_volume)
                place.fail("parts of chunks are read of all-to-alls only, which have no '6-Demand_Met'");
            std::string name = fmt::format("flow {}", sendings_.size() + 1);
            if (!block_of.contains(flow.root) || flow.chunk >= parts_)
                throw std::runtime_error(fmt::format("{}: {}: chunk {} of node {} is owed to nobody", origin_,
                                                     name, flow.chunk, flow.root));
            const ChunkId chunk = block_of[flow.root] * parts_ + flow.chunk;
            sendings_.push_back({std::move(flow.hop), chunk, std::move(name)});
        }
    }

    /// Who has what in an allgather: "6-Demand_Met".
    void read_demands()
    {
        const JsonPlace demands = root_["6-Demand_Met"];
        if (!document_["6-Demand_Met"].is_object())
            demands.fail("expected an object");
        for (const auto& [source, receivers] : document_["6-Demand_Met"].items()) {
            const std::uint32_t from = read_teccl_number(demands, source, "GPU");
            gpus_.insert(from);
            if (!receivers.is_object())
                demands[source].fail("expected an object");
            for (const auto& [receiver, chunks] : receivers.items()) {
                const std::uint32_t to = read_teccl_number(demands[source], receiver, "GPU");
                gpus_.insert(to);
                if (!chunks.is_object())
                    demands[source][receiver].fail("expected an object");
                for (const auto& chunk : chunks.items()) {
                    const std::uint32_t number = read_teccl_number(demands[source], chunk.key(), "Chunk");
                    parts_ = std::max(parts_, number + 1);
                    owed_.insert({from, to, number});
                }
            }
        }
        if (owed_.empty())
            demands.fail("it has no demands");
    }

    /// The paths, and not the flows: these list a hop once that several parts of a chunk take, with the
    /// volume of one.
    void read_alltoall()
    {
        const char* const member = document_.contains("7-chunk paths") ? "7-chunk paths" : "8-Chunk paths";
        const JsonPlace demands = root_[member];
        if (!document_[member].is_object() || document_[member].empty())
            demands.fail("expected an object with the paths of each demand");
        for (const auto& [name, paths] : document_[member].items()) {
            const TecclDemand demand = read_teccl_demand(demands, name);
            gpus_.insert({demand.root, demand.receiver});
            if (!owed_.insert({demand.root, demand.receiver, demand.chunk}).second)
                demands[name].fail("this demand is there already");
            const std::size_t first = parcels_.size();
            for (const JsonPlace& path : demands[name].elements())
                read_path(demand, path);
            require_whole(demand, first);
        }
    }

    void read_path(const TecclDemand& demand, const JsonPlace& path)
    {
        const auto id = static_cast<ChunkId>(parcels_.size());
        const std::string name =
            fmt::format("chunk {} from {} for {}", demand.chunk, demand.root, demand.receiver);
        for (const JsonPlace& element : path.elements()) {
            const auto pair = element.elements(); // epoch and text, which says it again
            if (pair.size() != 2)
                element.fail("expected an epoch and a text");
            TecclHop hop = read_teccl_hop(pair[1]);
            if (parcels_.size() == id)
                parcels_.push_back({demand, hop.millionths});
            else if (parcels_[id].millionths != hop.millionths)
                element.fail("its volume is not that of the hop before");
            else if (hop.epoch <= sendings_.back().hop.epoch)
                foreign_.violations.push_back(
                    {.rule = Rule::nothing_there,
                     .transfer = std::nullopt,
                     .text = fmt::format("{} leaves node {} in epoch {}, when it has not come there", name,
                                         hop.nodes.front(), hop.epoch)});
            sendings_.push_back({std::move(hop), id, name});
        }
        if (parcels_.size() == id)
            path.fail("it has no hops");
    }

    /// What rounding to six digits explains, one millionth a parcel, is added to or taken from the last.
    void require_whole(const TecclDemand& demand, std::size_t first)
    {
        std::int64_t missing = 1000000;
        for (std::size_t parcel = first; parcel < parcels_.size(); ++parcel)
            missing -= parcels_[parcel].millionths;
        const auto most = static_cast<std::int64_t>(parcels_.size() - first);
        if (first < parcels_.size() && std::abs(missing) <= most && parcels_.back().millionths + missing > 0)
            parcels_.back().millionths += static_cast<std::uint32_t>(missing);
        else
            foreign_.violations.push_back(
                {.rule = missing > 0 ? Rule::undelivered : Rule::extra_contribution,
                 .transfer = std::nullopt,
                 .text = fmt::format("{:.6g} of chunk {} from {} {} node {}",
                                     static_cast<double>(std::abs(missing)) / 1e6, demand.chunk, demand.root,
                                     missing > 0 ? "do not go to" : "too much go to", demand.receiver)});
    }

    void number_nodes()
    {
        std::set<std::uint32_t> all = gpus_;
        for (const Sending& sending : sendings_)
            all.insert(sending.hop.nodes.begin(), sending.hop.nodes.end());
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

    /// All owe all.
    Collective make_allgather()
    {
        CollectiveShape shape{.processors = network_.processor_count(), .parts = parts_};
        if (gpus_.size() < network_.processor_count())
            for (const std::uint32_t gpu : gpus_)
                shape.group.push_back(node_of_[gpu]);
        require_all_pairs("allgather");
        return allgather(shape);
    }

    void require_all_pairs(std::string_view name) const
    {
        const std::size_t n = gpus_.size();
        if (n < 2 || owed_.size() != n * (n - 1) * parts_)
            throw std::runtime_error(
                fmt::format("{}: its demands are no {} of {} GPUs in {} chunks", origin_, name, n, parts_));
    }

    /// Each parcel is a chunk, as heavy as it has millionths.
    Collective make_alltoall()
    {
        for (const auto& [from, to, chunk] : owed_)
            if (from == to)
                throw std::runtime_error(fmt::format("{}: node {} has a demand for itself", origin_, from));
        require_all_pairs("all-to-all");
        std::uint32_t unit = 0;
        for (const Parcel& parcel : parcels_)
            unit = std::gcd(unit, parcel.millionths);
        Collective collective{.processors = network_.processor_count()};
        for (const Parcel& parcel : parcels_) {
            const NodeId root = node_of_[parcel.demand.root];
            const auto id = static_cast<ChunkId>(collective.chunks.size());
            collective.chunks.push_back({parcel.millionths / unit, {root}});
            collective.demands.push_back({id, node_of_[parcel.demand.receiver], {root}});
        }
        return collective;
    }

    /// One transfer, or from one copying switch to the next: what enters it in an epoch enters once.
    void carry(const Sending& sending)
    {
        const ChunkId chunk = sending.chunk;
        const std::vector<std::uint32_t>& nodes = sending.hop.nodes;
        std::vector<NodeId> way{node_of_[nodes.front()]};
        const auto came = arrivals_.find({way.front(), chunk});
        Arrival here = came == arrivals_.end() ? Arrival{std::nullopt, chunk} : came->second;
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            way.push_back(node_of_[nodes[i]]);
            if (i + 1 == nodes.size()) {
                send(way, chunk, here, sending.place);
            } else if (network_.kind(way.back()) == NodeKind::copying_switch) {
                const auto [upload, is_new] = uploads_.try_emplace({way, chunk, sending.hop.epoch});
                if (is_new)
                    upload->second = send(way, chunk, here, sending.place);
                here = upload->second;
                way = {way.back()};
            }
        }
    }

    /// When a chunk has come to a node, and where it is there.
    struct Arrival {
        std::optional<std::uint32_t> transfer; ///< none: it was there when all began
        PlaceId place;
    };

    Arrival send(const std::vector<NodeId>& way, ChunkId chunk, const Arrival& from, const std::string& place)
    {
        const auto id = static_cast<std::uint32_t>(foreign_.places.size());
        Transfer transfer{{from.place, chunk}, way.front(), way.back(), path_over(network_, way)};
        std::vector<std::uint32_t> after;
        if (from.transfer)
            after.push_back(*from.transfer);
        if (!arrivals_.try_emplace({way.back(), chunk}, Arrival{id, chunk}).second)
            transfer.to = next_scratch_++ % place_limit; // it is there already
        const Arrival arrival{id, transfer.to};
        append_transfer(foreign_.schedule, std::move(transfer), after);
        foreign_.places.push_back(place);
        return arrival;
    }

    const nlohmann::json& document_;
    std::string_view origin_;
    JsonPlace root_;
    const LinkNetwork& network_;
    std::set<std::uint32_t> gpus_;                ///< by the file's numbers
    std::set<std::array<std::uint32_t, 3>> owed_; ///< from, to, chunk
    std::uint32_t parts_ = 1;
    std::vector<Parcel> parcels_; ///< of an all-to-all: its chunks
    std::vector<Sending> sendings_;
    std::map<std::uint32_t, NodeId> node_of_;
    std::map<std::pair<NodeId, ChunkId>, Arrival> arrivals_; ///< the first of each
    /// Into copying switches, by way, chunk and epoch.
    std::map<std::tuple<std::vector<NodeId>, ChunkId, std::uint32_t>, Arrival> uploads_;
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
