#include "sim/cli/meaning.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/traffic/pattern.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/network_in_words.hpp"
#include "sim/cli/plain_words.hpp"
#include "sim/cli/problem_options.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nocturne::cli {

namespace {

class Reader {
public:
    explicit Reader(const std::vector<std::string>& arguments) : words_(arguments) {}

    Meaning read()
    {
        for (TypedWord& word : words_)
            if (is_file_name(word.text)) {
                word.is_used = true;
                const bool is_network = kind_of_file(word.text) == FileKind::topology &&
                                        import_hint(word.text, beginning_of(word.text)).empty();
                (is_network ? meaning_.network : meaning_.file) = word.text;
            }
        if (meaning_.network.empty()) {
            const NetworkInWords found = network_in(words_);
            meaning_.network = found.network;
            meaning_.advice = found.advice;
        }
        read_collective();
        read_hot_spot();
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (i == 0 || without_marks(words_[i - 1].text) != "pir") // of Noxim, in packets
                read_word(words_[i]);
        for (std::size_t i = 0; i < words_.size(); ++i)
            read_vcs(i);
        for (std::size_t i = 0; i + 1 < words_.size() && meaning_.network.empty(); ++i)
            if (is_processors(words_.plain(i + 1)) && !words_.plain(i + 1).starts_with("port") &&
                count_of(words_.plain(i))) {
                meaning_.processors = std::to_string(*count_of(words_.plain(i)));
                words_.use(i, 2);
            }
        leave_out();
        return std::move(meaning_);
    }

private:
    void say(const char* part, std::string& member, std::string value, std::size_t at, std::size_t count = 1)
    {
        member = std::move(value);
        std::string words = words_[at].text;
        for (std::size_t i = at + 1; i < at + count; ++i)
            words += ' ' + words_[i].text;
        meaning_.said.emplace_back(part, std::move(words));
        words_.use(at, count);
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
                say("collective", meaning_.collective, joined, at, count);
                return;
            }
        const std::vector<std::string> usual{"allreduce", "allgather", "alltoall", "broadcast",
                                             "reduce-scatter"};
        for (std::size_t at = 0; at < words_.size(); ++at)
            if (const auto nearest = nearest_name(words_[at].text, usual); nearest && !words_[at].is_used) {
                say("collective", meaning_.collective, *nearest, at);
                return;
            }
    }

    /// `hotspot traffic 20% to node 5`
    void read_hot_spot()
    {
        std::optional<std::size_t> name;
        std::optional<unsigned> target;
        std::optional<double> percent;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::string& word = words_.plain(i);
            if (is_one_of(word, "hotspot hot_spot"))
                name = i;
            else if (word.ends_with('%'))
                percent = number_of<double>(word.substr(0, word.size() - 1));
            else if (i > 0 && is_one_of(words_.plain(i - 1), "node router processor to"))
                target = target ? target : number_of<unsigned>(word);
        }
        if (!name || !target || !percent)
            return;
        say("pattern", meaning_.pattern, fmt::format("hotspot:{},{:g}", *target, *percent / 100), *name);
        for (TypedWord& word : words_)
            word.is_used = word.is_used || word.plain.ends_with('%') || word.plain == std::to_string(*target);
    }

    void read_word(TypedWord& word)
    {
        if (word.is_used)
            return;
        const auto at = static_cast<std::size_t>(&word - &words_[0]);
        const auto set = [&](const char* part, std::string& member, std::string value) {
            if (member.empty() && !value.empty())
                say(part, member, std::move(value), at);
        };
        constexpr unsigned bits = 8;
        if (const auto width = with_unit(word.text, "bit bits"); width && std::fmod(*width, bits) == 0)
            set("hardware", meaning_.flit_bytes, fmt::format("{:g}", *width / bits));
        else if (const auto gigahertz = with_unit(word.text, "ghz"))
            set("hardware", meaning_.cycle_ns, fmt::format("{:g}", 1 / *gigahertz));
        else if (const auto megahertz = with_unit(word.text, "mhz"))
            set("hardware", meaning_.cycle_ns, fmt::format("{:g}", 1000 / *megahertz));
        if (word.is_used)
            return;
        const auto rate = rate_of(word.text), duration = nanoseconds_of(word.text);
        if (auto& member = rate ? meaning_.link_rate : meaning_.start_up; (rate || duration) && !member) {
            member = rate ? rate : duration;
            meaning_.said.emplace_back("timing", word.text);
            word.is_used = true;
            return;
        }
        if (is_size(word.text)) {
            const std::size_t digits = word.text.find_first_not_of("0123456789");
            const char unit = static_cast<char>(std::toupper(static_cast<unsigned char>(word.text[digits])));
            set("bytes", meaning_.bytes,
                word.text.substr(0, digits) + (unit == 'B' ? "B" : fmt::format("{}iB", unit)));
            if (word.is_used && boost::iequals(word.text.substr(digits), fmt::format("{}B", unit)) &&
                unit != 'B')
                meaning_.bytes_said = word.text; // 1000 or 1024?
            return;
        }
        constexpr double no_count = 100'000; // that count_of() reads
        if (const auto number = number_of<double>(word.text);
            number && *number >= no_count && *number == std::floor(*number)) {
            set("bytes", meaning_.bytes, fmt::format("{:.0f}", *number));
            return;
        }
        if (const auto number = number_of<double>(word.text);
            number && *number > 0 && *number < 1 && word.text.find('.') != word.text.npos) {
            set("load", meaning_.load, word.text);
            return;
        }
        for (const std::string& name : pattern_names())
            if (name.find(':') == name.npos && without_marks(name) == without_marks(word.text))
                set("pattern", meaning_.pattern, name);
        if (!word.is_used)
            set("routing", meaning_.routing, routing_in_words(word.text));
    }

    /// `4 vcs` and `--vcs 4`
    void read_vcs(std::size_t at)
    {
        if (!is_one_of(without_marks(words_[at].text), "vc vcs") || !meaning_.vcs.empty())
            return;
        for (const std::size_t other : {at + 1, at - 1})
            if (other < words_.size() && !words_[other].is_used && number_of<unsigned>(words_.plain(other))) {
                say("vcs", meaning_.vcs, words_.plain(other), std::min(at, other), 2);
                return;
            }
    }

    /// Options whose value is understood are, too.
    void leave_out()
    {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const TypedWord& word = words_[i];
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

    TypedWords words_;
    Meaning meaning_;
};

} // namespace

std::string Meaning::traffic_options() const
{
    std::string options;
    for (const auto& [name, value] : {std::pair{"pattern", pattern}, std::pair{"routing", routing}})
        if (!value.empty())
            options += fmt::format(" --{} {}", name, value);
    return options + hardware_options();
}

std::string Meaning::hardware_options() const
{
    std::string options;
    for (const auto& [name, value] :
         {std::pair{"vcs", vcs}, std::pair{"flit-bytes", flit_bytes}, std::pair{"cycle-ns", cycle_ns}})
        if (!value.empty())
            options += fmt::format(" --{} {}", name, value);
    return options;
}

std::string Meaning::timing_options() const
{
    const bool has_rates = network.starts_with("dgx");
    if (has_rates || (!link_rate && !start_up))
        return {};
    constexpr double longest_cycle = 16;
    double cycle = 1;
    while (link_rate && cycle < longest_cycle && *link_rate * cycle != std::floor(*link_rate * cycle))
        cycle *= 2; // links carry whole bytes a cycle
    std::string options = link_rate ? fmt::format(" --link-bytes {}", std::lround(*link_rate * cycle)) : "";
    options += fmt::format(" --cycle-ns {}", cycle);
    if (start_up)
        options += fmt::format(" --start-cycles {}", std::lround(*start_up / cycle));
    return options;
}

Meaning meaning_of(const std::vector<std::string>& arguments)
{
    return Reader(arguments).read();
}

} // namespace nocturne::cli
