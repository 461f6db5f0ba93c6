#include "models/topology/indices_by.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/formats/xml_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nocturne {

namespace {

/// Digits as a number, whatever is before and behind them: `(0, 'GPU', 9)` before `(0, 'GPU', 10)`.
struct NaturalOrder {
    bool operator()(const std::string& a, const std::string& b) const
    {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        std::size_t i = 0, j = 0;
        while (i < a.size() && j < b.size()) {
            if (!is_digit(a[i]) || !is_digit(b[j])) {
                if (a[i] != b[j])
                    return a[i] < b[j];
                ++i, ++j;
                continue;
            }
            const auto number = [&](const std::string& text, std::size_t& at) {
                const std::size_t first = std::min(text.find_first_not_of('0', at), text.size());
                at = first;
                while (at < text.size() && is_digit(text[at]))
                    ++at;
                return text.substr(first, at - first);
            };
            const std::string x = number(a, i), y = number(b, j);
            if (x != y)
                return x.size() != y.size() ? x.size() < y.size() : x < y;
        }
        return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
    }
};

/// At commas that are in no brackets.
std::vector<std::string> nodes_of(const std::string& path)
{
    std::vector<std::string> nodes(1);
    int depth = 0;
    for (const char c : path) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0)
            nodes.emplace_back();
        else
            nodes.back() += c;
    }
    return nodes;
}

struct TreeSend {
    XmlPlace place;
    std::vector<std::string> nodes; ///< source, what is crossed, destination
};

struct BroadcastTree {
    XmlPlace place;
    std::string root;
    std::uint32_t chunks;
    std::vector<TreeSend> sends;
};

class ForestReader {
public:
    ForestReader(std::string_view text, std::string_view origin, const LinkNetwork& network)
        : file_(text, origin), network_(network)
    {
    }

    ForeignSchedule read()
    {
        const XmlPlace algo = file_.root("Algo");
        parts_ = static_cast<std::uint32_t>(algo.number("nchunkspernode", 1));
        for (const XmlPlace& place : algo.children("tree"))
            read_tree(place);
        number_nodes(algo);
        require_known_size(algo);
        Schedule& schedule = foreign_.schedule;
        schedule = empty_schedule("", network_.name(),
                                  allgather({.processors = network_.processor_count(), .parts = parts_}),
                                  ScheduleSynchronization::dependencies);
        schedule.source = "ForestColl";
        add_transfers(algo);
        foreign_.order_is_open = true;
        return std::move(foreign_);
    }

private:
    void read_tree(const XmlPlace& place)
    {
        BroadcastTree tree{
            place, place.text("root"), static_cast<std::uint32_t>(place.number("nchunks", 1)), {}};
        names_.insert(tree.root);
        roots_.insert(tree.root);
        for (const XmlPlace& send : place.children("send")) {
            TreeSend read{send, nodes_of(send.text("path"))};
            if (read.nodes.size() < 2 || read.nodes.front() != send.text("src") ||
                read.nodes.back() != send.text("dst"))
                send.fail("its path does not lead from src to dst");
            names_.insert(read.nodes.begin(), read.nodes.end());
            tree.sends.push_back(std::move(read));
        }
        trees_.push_back(std::move(tree));
    }

    /// Before anything is laid out for all chunks: a send is a transfer for each chunk of its tree.
    void require_known_size(const XmlPlace& algo) const
    {
        std::uint64_t transfers = 0;
        for (const BroadcastTree& tree : trees_)
            transfers += std::uint64_t{tree.chunks} * std::max<std::size_t>(tree.sends.size(), 1);
        const std::uint64_t results =
            results_of(CollectiveKind::allgather, network_.processor_count(), parts_);
        if (std::max(transfers, results) > most_transfers)
            algo.fail(fmt::format("its chunks take {} transfers: it is read for at most {}",
                                  std::max(transfers, results), most_transfers));
    }

    void number_nodes(const XmlPlace& algo)
    {
        std::map<std::string, NodeId> known;
        for (NodeId node = 0; node < network_.node_count(); ++node)
            known[network_.node_name(node)] = node;
        const bool all_known =
            std::ranges::all_of(names_, [&](const std::string& name) { return known.contains(name); });
        if (roots_.size() != network_.processor_count() ||
            (!all_known && names_.size() > network_.node_count()))
            algo.fail(fmt::format("it has {} roots and {} other nodes, {} has {} processors and {} switches",
                                  roots_.size(), names_.size() - roots_.size(), network_.name(),
                                  network_.processor_count(),
                                  network_.node_count() - network_.processor_count()));
        if (all_known) {
            node_of_.insert(known.begin(), known.end());
            return;
        }
        NodeId next = 0;
        for (const std::string& root : roots_)
            node_of_[root] = next++;
        for (const std::string& name : names_)
            if (!roots_.contains(name))
                node_of_[name] = next++;
    }

    /// A send of a chunk, before all are put in order.
    struct Pending {
        std::uint32_t level;
        std::uint32_t parent; ///< index of what brings the chunk to its source; `none` at the root
        Transfer transfer;
        std::string place;
    };
    static constexpr std::uint32_t none = ~0U;
    static constexpr std::uint64_t most_transfers = std::uint64_t{1} << 22U;

    void add_transfers(const XmlPlace& algo)
    {
        std::vector<Pending> pending;
        std::map<NodeId, std::uint32_t> used; // chunks of a root
        for (const BroadcastTree& tree : trees_) {
            const NodeId root = node_of_[tree.root];
            for (std::uint32_t more = 0; more < tree.chunks; ++more) {
                const std::uint32_t part = used[root]++;
                if (part >= parts_)
                    tree.place.fail(fmt::format("more than {} chunks of {}", parts_, tree.root));
                add_tree(tree, root, root * parts_ + part, pending);
            }
        }
        for (const auto& [root, chunks] : used)
            if (chunks != parts_)
                algo.fail(fmt::format("{} has trees for {} chunks of {}", network_.node_name(root), chunks,
                                      parts_));
        put_in_order(pending);
    }

    void add_tree(const BroadcastTree& tree, NodeId root, PlaceId chunk, std::vector<Pending>& pending)
    {
        std::map<NodeId, std::uint32_t> brought_by{{root, none}};
        for (const TreeSend& send : tree.sends) {
            const NodeId source = node_of_[send.nodes.front()], destination = node_of_[send.nodes.back()];
            const auto parent = brought_by.find(source);
            if (parent == brought_by.end())
                send.place.fail(fmt::format("nothing has come to {} yet", send.nodes.front()));
            const auto id = static_cast<std::uint32_t>(pending.size());
            if (!brought_by.emplace(destination, id).second)
                send.place.fail(fmt::format("{} is in the tree already", send.nodes.back()));
            pending.push_back({parent->second == none ? 0 : pending[parent->second].level + 1,
                               parent->second,
                               {chunk, source, destination, path_over(network_, numbers_of(send.nodes))},
                               send.place.line()});
        }
    }

    /// By levels, so that what waits is behind what it waits for.
    void put_in_order(std::vector<Pending>& pending)
    {
        const auto order = indices_by(pending.size(), [&](std::uint32_t i) { return pending[i].level; });
        std::vector<std::uint32_t> index(pending.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            Pending& one = pending[order[i]];
            index[order[i]] = i;
            std::vector<std::uint32_t> after;
            if (one.parent != none)
                after.push_back(index[one.parent]);
            append_transfer(foreign_.schedule, std::move(one.transfer), after);
            foreign_.places.push_back(std::move(one.place));
        }
    }

    std::vector<NodeId> numbers_of(const std::vector<std::string>& names) const
    {
        std::vector<NodeId> nodes;
        for (const std::string& name : names)
            nodes.push_back(node_of_.at(name));
        return nodes;
    }

    const XmlFile file_;
    const LinkNetwork& network_;
    std::uint32_t parts_ = 0;
    std::vector<BroadcastTree> trees_;
    std::set<std::string, NaturalOrder> names_, roots_;
    std::map<std::string, NodeId> node_of_;
    ForeignSchedule foreign_;
};

} // namespace

bool is_forestcoll_xml(std::string_view text)
{
    return is_xml_of(text, "Algo");
}

ForeignSchedule read_forestcoll_xml(std::string_view text, std::string_view origin,
                                    const LinkNetwork& network)
{
    return ForestReader(text, origin, network).read();
}

} // namespace nocturne
