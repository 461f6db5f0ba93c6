#include "sim/cli/meaning.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/network_words.hpp"
#include "models/traffic/pattern.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/plain_words.hpp"
#include "sim/cli/problem_options.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace nocturne::cli {

namespace {

struct Word {
    std::string text;  ///< as it was typed
    std::string plain; ///< in small letters, `_` for `-`
    bool is_used = false;

    bool is_option() const { return text.size() > 1 && text.front() == '-' && !number_of<double>(text); }
};

class Reader {
public:
    explicit Reader(const std::vector<std::string>& arguments)
    {
        for (const std::string& argument : arguments)
            add(argument);
    }

    Meaning read()
    {
        for (Word& word : words_)
            if (is_file_name(word.text)) {
                word.is_used = true;
                const bool is_network = kind_of_file(word.text) == FileKind::topology &&
                                        import_hint(word.text, beginning_of(word.text)).empty();
                (is_network ? meaning_.network : meaning_.file) = word.text;
            }
        read_network();
        read_collective();
        for (Word& word : words_)
            read_word(word);
        for (std::size_t i = 0; i < words_.size(); ++i)
            read_vcs(i);
        leave_out();
        return std::move(meaning_);
    }

private:
    /// `--vcs=4` and `vcs=4` are two words, and a sentence as many as it has.
    void add(const std::string& argument)
    {
        if (is_file_name(argument)) {
            words_.push_back({argument, plain_of(argument)});
            return;
        }
        for (const std::string_view module : {"networkx.", "nx."})
            if (argument.starts_with(module)) {
                std::string call = argument.substr(module.size());
                std::ranges::replace_if(call, boost::is_any_of("(,)"), ' ');
                add(call);
                return;
            }
        std::vector<std::string> parts;
        const std::string separators =
            argument.starts_with('-') || argument.find(':') == argument.npos ? " =" : " ";
        boost::split(parts, argument, boost::is_any_of(separators), boost::token_compress_on);
        for (std::string& part : parts)
            if (!words_.empty() && is_one_of(plain_of(part), "kb mb gb tb kib mib gib tib") &&
                number_of<unsigned>(words_.back().text)) // `64 MB`
                words_.back() = {words_.back().text + part, plain_of(words_.back().text + part)};
            else if (!part.empty())
                words_.push_back({part, plain_of(part)});
    }

    const std::string& plain(std::size_t at) const
    {
        static const std::string none;
        return at < words_.size() ? words_[at].plain : none;
    }

    void use(std::size_t from, std::size_t count = 1)
    {
        for (std::size_t i = from; i < std::min(from + count, words_.size()); ++i)
            words_[i].is_used = true;
    }

    bool take(std::string network, std::size_t from, std::size_t count)
    {
        if (network.empty())
            return false;
        meaning_.network = std::move(network);
        use(from, count);
        return true;
    }

    void read_network()
    {
        const std::array readers{&Reader::read_specification, &Reader::read_booksim, &Reader::read_boxes,
                                 &Reader::read_with_names,    &Reader::read_sized,   &Reader::read_near,
                                 &Reader::read_foreign};
        for (const auto reader : readers)
            for (std::size_t i = 0; i < words_.size() && meaning_.network.empty() && meaning_.advice.empty();
                 ++i)
                if (!words_[i].is_used)
                    (this->*reader)(i);
    }

    void read_specification(std::size_t at)
    {
        if (is_specification(words_[at].text))
            take(words_[at].text, at, 1);
    }

    /// `k=8`; nothing if there is none.
    std::optional<unsigned> value_behind(std::string_view name) const
    {
        for (std::size_t i = 0; i + 1 < words_.size(); ++i)
            if (without_marks(words_[i].text) == name)
                return count_of(plain(i + 1));
        return std::nullopt;
    }

    void use_values_behind(std::string_view names)
    {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (is_one_of(without_marks(words_[i].text), names))
                use(i, 2);
    }

    /// `topology=torus k=8 n=2`
    void read_booksim(std::size_t at)
    {
        const auto radix = value_behind("k"), dimensions = value_behind("n");
        if (!is_one_of(plain(at), "mesh torus") || !radix || !dimensions || *dimensions == 0 ||
            *dimensions > 4)
            return;
        take(fmt::format("{}:{}", plain(at), fmt::join(std::vector(*dimensions, *radix), "x")), at, 1);
        use_values_behind("k n");
    }

    /// `32 gpus`, `two DGX A100`, `-g 8`
    void read_boxes(std::size_t at)
    {
        if (const auto gpus = count_of(plain(at + 1)); gpus && words_[at].text == "-g") {
            take(boxes_of(*gpus), at, 2);
            return;
        }
        const auto count = count_of(plain(at));
        if (!count)
            return;
        const bool has_boxes = std::ranges::any_of(words_, [](const Word& word) {
            return word.plain.starts_with("dgx") || word.plain.starts_with("hgx");
        });
        if (is_one_of(plain(at + 1), "gpu gpus accelerators"))
            take(boxes_of(*count), at, 2);
        else if (has_boxes && *count > 1 && is_one_of(plain(at + 1), "nodes boxes servers"))
            take(fmt::format("rail:{},8", *count), at, 2);
        else if (is_one_of(plain(at + 1), "dgx hgx"))
            take(*count == 1 ? "" : fmt::format("rail:{},8", *count), at,
                 is_one_of(plain(at + 2), "v100 a100 h100") ? 3 : 2);
    }

    /// The name of a kind in a word without a size, `fully-connected`; empty for any other word.
    std::string kind_at(std::size_t at) const
    {
        const std::string& word = plain(at);
        if (word.empty() || word.find_first_of("0123456789:") != word.npos)
            return {};
        if (names_topology_kind(word))
            return word;
        return std::string(kind_of_word(word));
    }

    /// `8-ary 3-cube`, `dragonfly a=4 h=2 p=2`
    void read_with_names(std::size_t at)
    {
        const auto before_mark = [](const std::string& word) {
            return count_of(word.substr(0, word.find('_')));
        };
        if (plain(at).ends_with("_ary") && plain(at + 1).ends_with("_cube")) {
            const auto radix = before_mark(plain(at)), dimensions = before_mark(plain(at + 1));
            if (radix && dimensions && *dimensions > 0 && *dimensions < 6)
                take(fmt::format("torus:{}", fmt::join(std::vector(*dimensions, *radix), "x")), at, 2);
            return;
        }
        const auto p = value_behind("p"), a = value_behind("a"), h = value_behind("h");
        if (plain(at) != "dragonfly" || !p || !a || !h)
            return;
        take(fmt::format("dragonfly:{},{},{}", *p, *a, *h), at, 1);
        use_values_behind("a h p");
    }

    /// `mesh of 64`, `16 node ring`, `8-port switch`, `3d torus 4`
    void read_sized(std::size_t at)
    {
        const std::string kind = kind_at(at),
                          both = fmt::format("{}_{}", at > 0 ? plain(at - 1) : "", plain(at));
        if (kind.empty() || !kind_of_word(both).empty()) // `fat tree` is no tree
            return;
        constexpr std::string_view units = "node nodes port ports processor processors rank ranks core cores";
        const auto joined = [&](std::size_t i) { // `16-node`
            const std::string& word = plain(i);
            const std::size_t mark = word.find('_');
            return mark != word.npos && is_one_of(word.substr(mark + 1), units)
                       ? count_of(word.substr(0, mark))
                       : std::nullopt;
        };
        if (const auto dimensions = at > 0 && plain(at - 1).ends_with('d')
                                        ? count_of(plain(at - 1).substr(0, plain(at - 1).size() - 1))
                                        : std::nullopt) {
            const auto side = count_of(plain(at + 1));
            if (side && *dimensions > 0 && *dimensions < 6)
                take(fmt::format("{}:{}", kind, fmt::join(std::vector(*dimensions, *side), "x")), at - 1, 3);
        } else if (const auto before = at > 0 ? joined(at - 1) : std::nullopt) {
            take(network_with(kind, *before), at - 1, 2);
        } else if (const auto count =
                       at > 1 && is_one_of(plain(at - 1), units) ? count_of(plain(at - 2)) : std::nullopt) {
            take(network_with(kind, *count), at - 2, 3);
        } else if (const auto behind =
                       is_one_of(plain(at + 1), "of with") ? count_of(plain(at + 2)) : std::nullopt) {
            take(network_with(kind, *behind), at, 3);
        }
    }

    /// `mesh8x8`, `mesh 8x8`, `mesh 8 8`, `8x8 mesh`
    void read_near(std::size_t at)
    {
        constexpr std::size_t most_sizes = 3;
        const std::string& word = plain(at);
        if (word.find_first_not_of("0123456789") == word.npos || words_[at].is_option())
            return;
        const auto meant = [](const std::string& text) {
            const auto all = meant_specifications(text);
            return all.empty() ? std::string() : all.front();
        };
        std::string best = meant(words_[at].text);
        std::size_t count = best.empty() ? 0 : 1;
        for (const std::string_view between : {"_", ""}) // `fat tree`
            if (const std::string both = fmt::format("{}{}{}", word, between, plain(at + 1));
                !plain(at + 1).empty() && (names_topology_kind(both) || !kind_of_word(both).empty())) {
                best = meant(both);
                count = 2;
            }
        for (const std::string_view between : {"x", ","}) {
            std::string joined = word;
            for (std::size_t next = at + 1; next <= at + most_sizes; ++next) {
                if (plain(next).empty() || plain(next).find_first_not_of("0123456789x,") != std::string::npos)
                    break;
                joined += fmt::format("{}{}", next == at + 1 ? ":" : between, plain(next));
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
        meaning_.advice = advice_on_network(plain(at));
        if (!meaning_.advice.empty())
            use(at);
    }

    /// In one word or in up to three: `all to all`.
    void read_collective()
    {
        constexpr std::size_t most_words = 3;
        for (std::size_t count = most_words; count > 0; --count)
            for (std::size_t at = 0; at + count <= words_.size(); ++at) {
                std::string joined = words_[at].text;
                for (std::size_t i = at + 1; i < at + count; ++i)
                    joined += '-' + words_[i].text;
                if (count == 1 && joined.ends_with("_perf")) { // of nccl-tests
                    joined.erase(joined.size() - 5);
                    std::ranges::replace(joined, '_', '-');
                }
                if (joined.starts_with("osu_"))
                    joined.erase(0, 4);
                if (words_[at].is_used || joined.starts_with('-') || !is_collective(joined))
                    continue;
                meaning_.collective = joined;
                use(at, count);
                return;
            }
        const std::vector<std::string> usual{"allreduce", "allgather", "alltoall", "broadcast",
                                             "reduce-scatter"};
        for (Word& word : words_)
            if (const auto nearest = nearest_name(word.text, usual); nearest && !word.is_used) {
                meaning_.collective = *nearest;
                word.is_used = true;
                return;
            }
    }

    void read_word(Word& word)
    {
        if (word.is_used)
            return;
        const auto set = [&](std::string& member, std::string value) {
            if (member.empty() && !value.empty()) {
                member = std::move(value);
                word.is_used = true;
            }
        };
        if (is_size(word.text)) {
            const std::size_t digits = word.text.find_first_not_of("0123456789");
            const char unit = static_cast<char>(std::toupper(static_cast<unsigned char>(word.text[digits])));
            set(meaning_.bytes,
                word.text.substr(0, digits) + (unit == 'B' ? "B" : fmt::format("{}iB", unit)));
            if (word.is_used && boost::iequals(word.text.substr(digits), fmt::format("{}B", unit)) &&
                unit != 'B')
                meaning_.bytes_said = word.text; // 1000 or 1024?
            return;
        }
        if (const auto number = number_of<double>(word.text);
            number && *number > 0 && *number < 1 && word.text.find('.') != word.text.npos) {
            set(meaning_.load, word.text);
            return;
        }
        for (const std::string& name : pattern_names())
            if (name.find(':') == name.npos && without_marks(name) == without_marks(word.text))
                set(meaning_.pattern, name);
        if (!word.is_used)
            set(meaning_.routing, routing_in_words(word.text));
    }

    /// `4 vcs` and `--vcs 4`
    void read_vcs(std::size_t at)
    {
        if (!is_one_of(without_marks(words_[at].text), "vc vcs") || !meaning_.vcs.empty())
            return;
        for (const std::size_t other : {at + 1, at - 1})
            if (other < words_.size() && !words_[other].is_used && number_of<unsigned>(plain(other))) {
                meaning_.vcs = plain(other);
                use(other);
                use(at);
                return;
            }
    }

    /// Options whose value is understood are, too.
    void leave_out()
    {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const Word& word = words_[i];
            if (word.is_used || is_filler(word.text))
                continue;
            const bool has_value = i + 1 < words_.size() && !words_[i + 1].is_option();
            if (word.is_option() && has_value && words_[i + 1].is_used)
                continue;
            if (word.is_option() && has_value)
                meaning_.left_out.push_back(fmt::format("{} {}", word.text, words_[++i].text));
            else
                meaning_.left_out.push_back(word.text);
        }
    }

    std::vector<Word> words_;
    Meaning meaning_;
};

} // namespace

std::string Meaning::traffic_options() const
{
    std::string options;
    for (const auto& [name, value] :
         {std::pair{"pattern", pattern}, std::pair{"routing", routing}, std::pair{"vcs", vcs}})
        if (!value.empty())
            options += fmt::format(" --{} {}", name, value);
    return options;
}

Meaning meaning_of(const std::vector<std::string>& arguments)
{
    return Reader(arguments).read();
}

} // namespace nocturne::cli
