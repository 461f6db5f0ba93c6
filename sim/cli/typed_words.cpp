#include "sim/cli/typed_words.hpp"

#include "sim/cli/file_kind.hpp"
#include "sim/cli/plain_words.hpp"

#include <boost/algorithm/string.hpp>

#include <algorithm>

namespace nocturne::cli {

TypedWords::TypedWords(const std::vector<std::string>& arguments)
{
    for (const std::string& argument : arguments)
        add(argument);
}

void TypedWords::add(const std::string& argument)
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
    constexpr std::string_view units =
        "kb mb gb tb kib mib gib tib gbps gb/s gbit/s ns us bit bits ghz mhz \u00b5s";
    std::vector<std::string> parts;
    const std::string separators =
        argument.starts_with('-') || argument.find(':') == argument.npos ? " =" : " ";
    boost::split(parts, argument, boost::is_any_of(separators), boost::token_compress_on);
    for (std::string& part : parts) {
        boost::trim_right_if(part, boost::is_any_of("?!,"));
        if (!words_.empty() && is_one_of(plain_of(part), units) &&
            number_of<double>(words_.back().text)) // `64 MB`
            words_.back() = {words_.back().text + part, plain_of(words_.back().text + part)};
        else if (!part.empty())
            words_.push_back({part, plain_of(part)});
    }
}

const std::string& TypedWords::plain(std::size_t at) const
{
    static const std::string none;
    return at < words_.size() ? words_[at].plain : none;
}

void TypedWords::use(std::size_t from, std::size_t count)
{
    for (std::size_t i = from; i < std::min(from + count, words_.size()); ++i)
        words_[i].is_used = true;
}

std::optional<unsigned> TypedWords::value_behind(std::string_view name) const
{
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
        if (without_marks(words_[i].text) == name)
            return count_of(plain(i + 1));
    return std::nullopt;
}

void TypedWords::use_values_behind(std::string_view names)
{
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (is_one_of(without_marks(words_[i].text), names))
            use(i, 2);
}

} // namespace nocturne::cli
