#include "schedules/design/half_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace nocturne::design {

HalfEdges::HalfEdges(const Request& request) : request_(&request)
{
    const NodeId nodes = request.nodes;
    stride_ = 1;
    for (NodeId node = 0; node < nodes; ++node)
        stride_ = std::max(stride_, request.degree(node));
    incoming_ = nodes * stride_;
    rotation_ = incoming_ / request.symmetry;
    first_ending_.push_back(0);
    for (NodeId node = 0; node < nodes; ++node) {
        for (unsigned place = 0; place < request.degree(node); ++place)
            endings_.push_back(node * stride_ + place);
        first_ending_.push_back(static_cast<std::uint32_t>(endings_.size()));
    }
    beginnings_ = endings_;
    if (is_one_way())
        for (HalfEdge& end : beginnings_)
            end += incoming_;
    mate_.resize(is_one_way() ? 2 * incoming_ : incoming_);
    std::iota(mate_.begin(), mate_.end(), 0);
    node_.resize(mate_.size());
    for (HalfEdge end = 0; end < node_.size(); ++end)
        node_[end] = end % incoming_ / stride_;
    sources_.assign(node_.begin(), node_.begin() + incoming_);
    if (is_one_way())
        targets_ = sources_;
    touched_.reserve(4 * std::size_t{request.symmetry});
}

HalfEdge HalfEdges::rotated(HalfEdge end, unsigned turns) const
{
    if (turns == 0)
        return end;
    const HalfEdge base = end < incoming_ ? 0 : incoming_;
    return base + static_cast<HalfEdge>((end - base + std::uint64_t{turns} * rotation_) % incoming_);
}

bool HalfEdges::are_images(HalfEdge a, HalfEdge b) const
{
    if (request_->symmetry == 1)
        return a == b;
    return (a < incoming_) == (b < incoming_) && a % rotation_ == b % rotation_;
}

void HalfEdges::set_mate(HalfEdge end, HalfEdge mate)
{
    for (unsigned turns = 0; turns < request_->symmetry; ++turns) {
        const HalfEdge image = rotated(end, turns);
        const HalfEdge other = rotated(mate, turns);
        mate_[image] = other;
        if (image >= incoming_) {
            targets_[image - incoming_] = node_[other];
            continue;
        }
        sources_[image] = node_[other];
        touched_.push_back(node_[image]);
    }
}

void HalfEdges::join(HalfEdge a, HalfEdge b)
{
    set_mate(a, b);
    if (!are_images(a, b)) // otherwise the images of one are those of the other
        set_mate(b, a);
}

/// An end that is left alone: it becomes empty if what took its mate's place was, otherwise a link of its own
/// with the opposite image (what took its mate's place was half a link with its opposite image before).
void HalfEdges::leave(HalfEdge end, bool other_was_free)
{
    if (other_was_free)
        set_mate(end, end);
    else
        join(end, opposite(end));
}

bool HalfEdges::is_allowed(HalfEdge a) const
{
    const HalfEdge b = mate_[a];
    if (a == b)
        return true;
    const NodeId from = node_[b];
    const NodeId to = node_[a];
    if (from == to)
        return false;
    if (request_->parallel == ParallelLinks::forbidden) {
        const HalfEdge incoming = a < incoming_ ? a : b;
        const NodeId* const row = &sources_[std::size_t{node_[incoming]} * stride_];
        if (std::count(row, row + stride_, node_[mate_[incoming]]) > 1)
            return false;
    }
    if (request_->positions.empty())
        return true;
    for (unsigned turns = 0; turns < request_->symmetry; ++turns)
        if (request_->wire_length(node_[rotated(a, turns)], node_[rotated(b, turns)]) >
            request_->longest_wire)
            return false;
    return true;
}

HalfEdges::Extent HalfEdges::extent(HalfEdge a) const
{
    if (is_free(a))
        return {0, 0};
    const bool is_half = are_images(a, mate_[a]);
    Extent result{0, is_half ? request_->symmetry / 2 : request_->symmetry};
    if (request_->positions.empty())
        return result;
    for (unsigned turns = 0; turns < result.links; ++turns)
        result.wire += request_->wire_length(node_[rotated(a, turns)], node_[rotated(mate_[a], turns)]);
    return result;
}

void HalfEdges::add(const Extent& extent)
{
    total_.wire += extent.wire;
    total_.links += extent.links;
}

void HalfEdges::remove(const Extent& extent)
{
    total_.wire -= extent.wire;
    total_.links -= extent.links;
}

bool HalfEdges::rewire(HalfEdge beginning, HalfEdge ending)
{
    const HalfEdge x = beginning;
    const HalfEdge y = ending;
    const HalfEdge p = mate_[x];
    const HalfEdge q = mate_[y];
    if (x == y || p == y || node_[x] == node_[y])
        return false;
    if (are_images(x, y) && (request_->symmetry % 2 != 0 || opposite(x) != y))
        return false;
    const auto is_left = [&](HalfEdge end, HalfEdge mate) {
        return end != mate && !are_images(end, x) && !are_images(end, y);
    };
    const bool p_left = is_left(p, x);
    const bool q_left = is_left(q, y);
    const bool x_was_free = p == x;
    const bool y_was_free = q == y;
    const bool same_link = are_images(x, y) || are_images(p, y);

    total_before_ = total_;
    remove(extent(x));
    if (!same_link)
        remove(extent(y));
    saved_count_ = 0;
    touched_.clear();
    save(x);
    save(y);
    join(x, y);
    HalfEdge left = x; // an end of the second new link, if there is one
    if (p_left && q_left) {
        save(p);
        save(q);
        join(p, q);
        left = p;
    } else if (p_left) {
        save(p);
        leave(p, y_was_free);
        left = p;
    } else if (q_left) {
        save(q);
        leave(q, x_was_free);
        left = q;
    }
    if (!is_allowed(x) || !is_allowed(left)) {
        restore();
        return false;
    }
    add(extent(x));
    if (left != x)
        add(extent(left));
    return true;
}

void HalfEdges::restore()
{
    for (unsigned i = 0; i < saved_count_; ++i)
        set_mate(saved_[i].end, saved_[i].mate);
    total_ = total_before_;
    touched_.clear();
}

void HalfEdges::undo()
{
    restore();
    saved_count_ = 0;
}

std::vector<LinkEnds> HalfEdges::links() const
{
    std::vector<LinkEnds> links;
    links.reserve(total_.links);
    for (const HalfEdge end : beginnings_) {
        const LinkEnds link{node_[end], node_[mate_[end]]};
        if (!is_free(end) && (is_one_way() || link.a < link.b))
            links.push_back(link);
    }
    std::sort(links.begin(), links.end());
    return links;
}

void HalfEdges::assign(std::span<const LinkEnds> links)
{
    const auto key = [&](NodeId a, NodeId b) {
        return is_one_way() || a < b ? LinkEnds{a, b} : LinkEnds{b, a};
    };
    std::map<LinkEnds, unsigned> open;
    for (const LinkEnds& link : links) {
        if (link.a >= request_->nodes || link.b >= request_->nodes)
            throw std::invalid_argument(fmt::format("link {}-{}: no such node", link.a, link.b));
        ++open[key(link.a, link.b)];
    }
    std::iota(mate_.begin(), mate_.end(), 0);
    for (HalfEdge end = 0; end < incoming_; ++end)
        sources_[end] = node_[end];
    if (is_one_way())
        targets_ = sources_;
    total_ = {0, 0};
    saved_count_ = 0;
    const NodeId block = request_->nodes / request_->symmetry;
    const unsigned one_way = is_one_way() ? incoming_ : 0;
    const auto free_end = [&](NodeId node, HalfEdge base, std::optional<HalfEdge> other) {
        for (const HalfEdge end : endings_at(node))
            if (is_free(base + end) && !(other && are_images(base + end, *other)))
                return base + end;
        throw std::invalid_argument(fmt::format("node {}: more than {} links", node, request_->degree(node)));
    };
    while (!open.empty()) {
        const LinkEnds link = open.begin()->first;
        const HalfEdge x = free_end(link.a, one_way, std::nullopt);
        const bool is_half =
            !is_one_way() && request_->symmetry % 2 == 0 && link.a + request_->nodes / 2 == link.b;
        const HalfEdge y = is_half ? opposite(x) : free_end(link.b, 0, x);
        join(x, y);
        touched_.clear();
        const unsigned images = is_half ? request_->symmetry / 2 : request_->symmetry;
        for (unsigned turns = 0; turns < images; ++turns) {
            const auto image = open.find(
                key((link.a + turns * block) % request_->nodes, (link.b + turns * block) % request_->nodes));
            if (image == open.end())
                throw std::invalid_argument(fmt::format("link {}-{}: the symmetry {} needs its images",
                                                        link.a, link.b, request_->symmetry));
            if (--image->second == 0)
                open.erase(image);
        }
        if (!is_allowed(x))
            throw std::invalid_argument(fmt::format("link {}-{}: not allowed", link.a, link.b));
        add(extent(x));
    }
}

} // namespace nocturne::design
