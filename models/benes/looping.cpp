#include "models/benes/looping.hpp"

#include "models/benes/control_tag.hpp"
#include "models/traffic/permutation.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t no_passage = ~0u;

/// A message on its way through one of the copies: the lines of the copy, counted from 0, that it enters and
/// leaves on.
struct Passage {
    std::uint32_t source; ///< of the whole network
    std::uint32_t from;
    std::uint32_t to;
};

/// Colours the messages between input and output switches of one copy so that no two of a switch have the
/// same colour.
class PassageColouring {
public:
    PassageColouring(unsigned q, std::uint32_t switches)
        : q_(q), at_input_(std::size_t{switches} * q, no_passage),
          at_output_(std::size_t{switches} * q, no_passage)
    {
    }

    std::vector<std::uint32_t> colour(std::span<const Passage> passages)
    {
        colours_.assign(passages.size(), no_passage);
        for (std::uint32_t edge = 0; edge < passages.size(); ++edge) {
            const std::uint32_t input = passages[edge].from / q_;
            const std::uint32_t output = passages[edge].to / q_;
            const std::uint32_t a = free_colour(at_input_, input);
            const std::uint32_t b = free_colour(at_output_, output);
            // Along the path of colours a, b, a, … that begins at the output, the two change places: then a
            // is free there too. It cannot end at the input, where a is free: it gets to inputs by edges of
            // colour a.
            if (a != b)
                swap_along(passages, output, a, b);
            put(passages, edge, a);
        }
        return std::move(colours_);
    }

private:
    std::uint32_t& slot(std::vector<std::uint32_t>& side, std::uint32_t at, std::uint32_t colour) const
    {
        return side[std::size_t{at} * q_ + colour];
    }
    std::uint32_t free_colour(std::vector<std::uint32_t>& side, std::uint32_t at) const
    {
        std::uint32_t colour = 0;
        while (slot(side, at, colour) != no_passage)
            ++colour;
        return colour;
    }
    void put(std::span<const Passage> passages, std::uint32_t edge, std::uint32_t colour)
    {
        colours_[edge] = colour;
        slot(at_input_, passages[edge].from / q_, colour) = edge;
        slot(at_output_, passages[edge].to / q_, colour) = edge;
    }
    void swap_along(std::span<const Passage> passages, std::uint32_t output, std::uint32_t a, std::uint32_t b)
    {
        path_.clear();
        std::uint32_t at = output;
        bool is_output = true;
        std::uint32_t colour = a;
        for (;;) {
            const std::uint32_t edge = slot(is_output ? at_output_ : at_input_, at, colour);
            if (edge == no_passage)
                break;
            path_.push_back(edge);
            at = is_output ? passages[edge].from / q_ : passages[edge].to / q_;
            is_output = !is_output;
            colour = colour == a ? b : a;
        }
        for (const std::uint32_t edge : path_) {
            slot(at_input_, passages[edge].from / q_, colours_[edge]) = no_passage;
            slot(at_output_, passages[edge].to / q_, colours_[edge]) = no_passage;
        }
        for (const std::uint32_t edge : path_)
            put(passages, edge, colours_[edge] == a ? b : a);
    }

    unsigned q_;
    std::vector<std::uint32_t> at_input_;  ///< edge by input switch and colour
    std::vector<std::uint32_t> at_output_; ///< edge by output switch and colour
    std::vector<std::uint32_t> colours_;   ///< by edge
    std::vector<std::uint32_t> path_;
};

} // namespace

std::vector<std::uint16_t> looping(const BenesWiring& wiring, std::span<const std::uint32_t> destination)
{
    if (wiring.truncated() != 0)
        throw std::invalid_argument(
            fmt::format("no settings for every permutation: {} columns are missing", wiring.truncated()));
    check_permutation(destination, wiring.lines());
    const unsigned q = wiring.switch_size();
    const unsigned columns = wiring.columns();
    std::vector<std::uint16_t> tags(std::size_t{wiring.lines()} * columns);
    for (std::uint32_t source = 0; source < wiring.lines(); ++source)
        write_destination(wiring, destination[source],
                          std::span(tags).subspan(std::size_t{source} * columns, columns));

    std::vector<std::vector<Passage>> copies(1);
    for (std::uint32_t source = 0; source < wiring.lines(); ++source)
        copies[0].push_back({source, source, destination[source]});
    for (unsigned column = 0; column < wiring.free_columns(); ++column) {
        std::vector<std::vector<Passage>> inner;
        for (const std::vector<Passage>& copy : copies) {
            const std::vector<std::uint32_t> colours =
                PassageColouring(q, static_cast<std::uint32_t>(copy.size()) / q).colour(copy);
            const std::size_t first = inner.size();
            inner.resize(first + q);
            for (std::size_t i = 0; i < copy.size(); ++i) {
                tags[std::size_t{copy[i].source} * columns + column] = static_cast<std::uint16_t>(colours[i]);
                // Switch i of the outer columns is wired to line i of each copy.
                inner[first + colours[i]].push_back({copy[i].source, copy[i].from / q, copy[i].to / q});
            }
        }
        copies = std::move(inner);
    }
    return tags;
}

} // namespace nocturne
