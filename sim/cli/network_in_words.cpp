#include "sim/cli/network_in_words.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/network_words.hpp"
#include "sim/cli/plain_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace nocturne::cli {

namespace {

class NetworkReader {
public:
    explicit NetworkReader(TypedWords& words) : words_(words) {}

    NetworkInWords read()
    {
        const std::array readers{&NetworkReader::read_specification, &NetworkReader::read_booksim,
                                 &NetworkReader::read_noxim,         &NetworkReader::read_boxes,
                                 &NetworkReader::read_with_names,    &NetworkReader::read_sized,
                                 &NetworkReader::read_counted,       &NetworkReader::read_near,
                                 &NetworkReader::read_foreign};
        for (const auto reader : readers)
            for (std::size_t i = 0; i < words_.size() && found_.network.empty() && found_.advice.empty(); ++i)
                if (!words_[i].is_used)
                    (this->*reader)(i);
        return std::move(found_);
    }

private:
    bool take(std::string network, std::size_t from, std::size_t count)
    {
        if (network.empty())
            return false;
        found_.network = of_nodes(std::move(network));
        words_.use(from, count);
        return true;
    }

    /// `hypercube:4` of `hypercube 16`: nobody means so many dimensions.
    static std::string of_nodes(std::string network)
    {
        constexpr std::string_view kind = "hypercube:";
        constexpr unsigned most_dimensions = 12;
        const auto nodes = network.starts_with(kind) ? count_of(network.substr(kind.size())) : std::nullopt;
        const std::string of_so_many =
            nodes && *nodes > most_dimensions ? network_with("hypercube", *nodes) : std::string();
        return of_so_many.empty() ? network : of_so_many;
    }

    /// `-dimx 8 -dimy 8`
    void read_noxim(std::size_t at)
    {
        const auto x = words_.value_behind("dimx"), y = words_.value_behind("dimy");
        if (without_marks(words_[at].text) != "dimx" || !x || !y)
            return;
        take(fmt::format("mesh:{}x{}", *x, *y), at, 1);
        words_.use_values_behind("dimx dimy");
    }

    /// `allreduce ring vs tree 16 nodes`
    void read_counted(std::size_t at)
    {
        const auto begins_with_digit = [&](std::size_t i) {
            return !words_.plain(i).empty() &&
                   std::isdigit(static_cast<unsigned char>(words_.plain(i)[0])) != 0;
        };
        const std::string kind = kind_at(at),
                          both = fmt::format("{}_{}", at > 0 ? words_.plain(at - 1) : "", words_.plain(at));
        if (kind.empty() || !kind_of_word(both).empty() || begins_with_digit(at + 1) ||
            (at > 0 && begins_with_digit(at - 1)))
            return;
        for (std::size_t i = 0; i + 1 < words_.size(); ++i)
            if (const auto count = count_of(words_.plain(i)); count && is_processors(words_.plain(i + 1))) {
                if (take(network_with(kind, *count), at, 1))
                    words_.use(i, 2);
                return;
            }
    }

    void read_specification(std::size_t at)
    {
        if (is_specification(words_[at].text))
            take(words_[at].text, at, 1);
    }

    /// `topology=torus k=8 n=2`
    void read_booksim(std::size_t at)
    {
        const auto radix = words_.value_behind("k"), dimensions = words_.value_behind("n");
        if (!is_one_of(words_.plain(at), "mesh torus") || !radix || !dimensions || *dimensions == 0 ||
            *dimensions > 4)
            return;
        take(fmt::format("{}:{}", words_.plain(at), fmt::join(std::vector(*dimensions, *radix), "x")), at, 1);
        words_.use_values_behind("k n");
    }

    /// `32 gpus`, `two DGX A100`, `-g 8`
    void read_boxes(std::size_t at)
    {
        if (const auto gpus = count_of(words_.plain(at + 1)); gpus && words_[at].text == "-g") {
            take(boxes_of(*gpus), at, 2);
            return;
        }
        const auto count = count_of(words_.plain(at));
        if (!count)
            return;
        const bool has_boxes = std::ranges::any_of(words_, [](const TypedWord& word) {
            return word.plain.starts_with("dgx") || word.plain.starts_with("hgx");
        });
        if (is_one_of(words_.plain(at + 1), "gpu gpus accelerators"))
            take(boxes_of(*count), at, 2);
        else if (has_boxes && *count > 1 && is_one_of(words_.plain(at + 1), "nodes boxes servers"))
            take(fmt::format("rail:{},8", *count), at, 2);
        else if (is_one_of(words_.plain(at + 1), "dgx hgx"))
            take(*count == 1 ? "" : fmt::format("rail:{},8", *count), at,
                 is_one_of(words_.plain(at + 2), "v100 a100 h100") ? 3 : 2);
    }

    /// The name of a kind in a word without a size, `fully-connected`; empty for any other word.
    std::string kind_at(std::size_t at) const
    {
        const std::string& word = words_.plain(at);
        if (word.empty() || word.find_first_of("0123456789:") != word.npos)
            return {};
        if (names_topology_kind(word))
            return word;
        if (!kind_of_word(word).empty())
            return std::string(kind_of_word(word));
        const bool is_beside_size =
            is_grid_size(words_.plain(at + 1)) || (at > 0 && is_grid_size(words_.plain(at - 1)));
        static const std::vector<std::string> grids{"mesh", "torus"};
        const auto meant = is_beside_size ? nearest_name(word, grids) : std::nullopt; // `4x4 tours`
        return meant ? *meant : std::string();
    }

    static bool is_grid_size(const std::string& word)
    {
        return word.find('x') != word.npos && word.find_first_not_of("0123456789x") == word.npos;
    }

    /// `8-ary 3-cube`, `dragonfly a=4 h=2 p=2`
    void read_with_names(std::size_t at)
    {
        const auto before_mark = [](const std::string& word) {
            return count_of(word.substr(0, word.find('_')));
        };
        if (words_.plain(at).ends_with("_ary") && words_.plain(at + 1).ends_with("_cube")) {
            const auto radix = before_mark(words_.plain(at)), dimensions = before_mark(words_.plain(at + 1));
            if (radix && dimensions && *dimensions > 0 && *dimensions < 6)
                take(fmt::format("torus:{}", fmt::join(std::vector(*dimensions, *radix), "x")), at, 2);
            return;
        }
        const auto p = words_.value_behind("p"), a = words_.value_behind("a"), h = words_.value_behind("h");
        if (words_.plain(at) != "dragonfly" || !p || !a || !h)
            return;
        take(fmt::format("dragonfly:{},{},{}", *p, *a, *h), at, 1);
        words_.use_values_behind("a h p");
    }

    /// `mesh of 64`, `16 node ring`, `8-port switch`, `3d torus 4`
    void read_sized(std::size_t at)
    {
        const std::string kind = kind_at(at),
                          both = fmt::format("{}_{}", at > 0 ? words_.plain(at - 1) : "", words_.plain(at));
        if (kind.empty() || !kind_of_word(both).empty()) // `fat tree` is no tree
            return;
        const auto joined = [&](std::size_t i) { // `16-node`
            const std::string& word = words_.plain(i);
            const std::size_t mark = word.find('_');
            return mark != word.npos && is_processors(word.substr(mark + 1)) ? count_of(word.substr(0, mark))
                                                                             : std::nullopt;
        };
        if (const auto dimensions =
                at > 0 && words_.plain(at - 1).ends_with('d')
                    ? count_of(words_.plain(at - 1).substr(0, words_.plain(at - 1).size() - 1))
                    : std::nullopt) {
            const auto side = count_of(words_.plain(at + 1));
            if (side && *dimensions > 0 && *dimensions < 6)
                take(fmt::format("{}:{}", kind, fmt::join(std::vector(*dimensions, *side), "x")), at - 1, 3);
        } else if (const auto before = at > 0 ? joined(at - 1) : std::nullopt) {
            take(network_with(kind, *before), at - 1, 2);
        } else if (const auto count = at > 1 && is_processors(words_.plain(at - 1))
                                          ? count_of(words_.plain(at - 2))
                                          : std::nullopt) {
            take(network_with(kind, *count), at - 2, 3);
        } else if (const auto behind = is_one_of(words_.plain(at + 1), "of with")
                                           ? count_of(words_.plain(at + 2))
                                           : std::nullopt) {
            take(network_with(kind, *behind), at, 3);
        }
    }

    /// `mesh8x8`, `mesh 8x8`, `mesh 8 8`, `8x8 mesh`
    void read_near(std::size_t at)
    {
        constexpr std::size_t most_sizes = 3;
        const std::string& word = words_.plain(at);
        if (word.find_first_not_of("0123456789") == word.npos || words_[at].is_option())
            return;
        const auto meant = [](const std::string& text) {
            const auto all = meant_specifications(text);
            return all.empty() ? std::string() : all.front();
        };
        std::string best = meant(words_[at].text);
        std::size_t count = best.empty() ? 0 : 1;
        for (const std::string_view between : {"_", ""}) // `fat tree`
            if (const std::string both = fmt::format("{}{}{}", word, between, words_.plain(at + 1));
                !words_.plain(at + 1).empty() && (names_topology_kind(both) || !kind_of_word(both).empty())) {
                best = meant(both);
                count = 2;
            }
        for (const std::string_view between : {"x", ","}) {
            std::string joined = word;
            for (std::size_t next = at + 1; next <= at + most_sizes; ++next) {
                if (words_.plain(next).empty() ||
                    words_.plain(next).find_first_not_of("0123456789x,") != std::string::npos)
                    break;
                joined += fmt::format("{}{}", next == at + 1 ? ":" : between, words_.plain(next));
                if (std::string found = meant(joined); !found.empty()) {
                    best = std::move(found);
                    count = next + 1 - at;
                }
            }
        }
        if (const std::string kind = kind_at(at + 1); word.find('x') != word.npos && !kind.empty())
            if (std::string found = meant(fmt::format("{}:{}", kind, word)); !found.empty()) {
                best = std::move(found);
                count = 2;
            }
        take(std::move(best), at, count);
    }

    void read_foreign(std::size_t at)
    {
        found_.advice = advice_on_network(words_.plain(at));
        if (!found_.advice.empty())
            words_.use(at);
    }

    TypedWords& words_;
    NetworkInWords found_;
};

} // namespace

NetworkInWords network_in(TypedWords& words)
{
    return NetworkReader(words).read();
}

} // namespace nocturne::cli
