#include "schedules/schedule/steps_text.hpp"

#include "schedules/schedule/message_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace nocturne {
namespace {

constexpr std::string_view json_spaces = " \t\n\r";

/// Reads tokens from the front of a text. What is not as it is usually written is not read: the functions
/// then return false or nothing.
class PlainTokens {
public:
    explicit PlainTokens(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    /// Skips space, and the character behind it if it is `wanted`.
    bool take(char wanted)
    {
        skip_space();
        if (at_ == end_ || *at_ != wanted)
            return false;
        ++at_;
        return true;
    }

    /// The same of several characters.
    bool take_word(std::string_view wanted)
    {
        skip_space();
        if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(wanted))
            return false;
        at_ += wanted.size();
        return true;
    }

    /// A text between quotation marks, of printable ASCII without escapes.
    std::optional<std::string_view> text()
    {
        if (!take('"'))
            return std::nullopt;
        const char* const begin = at_;
        for (; at_ != end_ && *at_ != '"'; ++at_)
            if (*at_ < ' ' || *at_ > '~' || *at_ == '\\')
                return std::nullopt;
        if (at_ == end_)
            return std::nullopt;
        return std::string_view(begin, static_cast<std::size_t>(at_++ - begin));
    }

    /// A number from 0 to 2^32 - 1, in digits.
    std::optional<std::uint32_t> number()
    {
        skip_space();
        const char* const begin = at_;
        std::uint64_t value = 0;
        for (; at_ != end_ && *at_ >= '0' && *at_ <= '9' && at_ - begin < 10; ++at_)
            value = 10 * value + static_cast<std::uint64_t>(*at_ - '0');
        const bool has_leading_zero = at_ - begin > 1 && *begin == '0';
        const bool goes_on =
            at_ != end_ && ((*at_ >= '0' && *at_ <= '9') || *at_ == '.' || *at_ == 'e' || *at_ == 'E');
        if (at_ == begin || has_leading_zero || goes_on || value > ~std::uint32_t{0})
            return std::nullopt;
        return static_cast<std::uint32_t>(value);
    }

    bool is_at_end()
    {
        skip_space();
        return at_ == end_;
    }

    /// Is the next token a text?
    bool sees_text()
    {
        skip_space();
        return at_ != end_ && *at_ == '"';
    }

    const char* position() const { return at_; }

    /// `element` reads each element of a list, or member of an object, between the brackets.
    template <class Element>
    bool list(char open, char close, Element element)
    {
        if (!take(open))
            return false;
        if (take(close))
            return true;
        do
            if (!element())
                return false;
        while (take(','));
        return take(close);
    }

private:
    void skip_space()
    {
        while (at_ != end_ && json_spaces.find(*at_) != std::string_view::npos)
            ++at_;
    }

    const char* at_;
    const char* end_;
};

/// The members that a transfer, or its message, can have.
enum class Member : unsigned { from, to, path, channels, message, add, origin, write, after, unknown };

constexpr std::array<std::string_view, 9> member_names{"from", "to",     "path",  "channels", "message",
                                                       "add",  "origin", "write", "after"};

class PlainSteps {
public:
    PlainSteps(std::string_view text, const Topology& topology, const LinkNetwork* network,
               Schedule& schedule)
        : tokens_(text), topology_(topology), network_(network), schedule_(schedule),
          collective_(schedule.collective), names_(collective_)
    {
    }

    bool read()
    {
        const auto one_step = [&] {
            Step& step = schedule_.steps.emplace_back();
            const bool is_plain = tokens_.list('[', ']', [&] { return read_transfer(step); });
            step.shrink_to_fit();
            return is_plain;
        };
        return tokens_.list('[', ']', one_step) && tokens_.take('}') && tokens_.is_at_end();
    }

private:
    bool read_transfer(Step& step)
    {
        from_ = to_ = std::nullopt;
        has_message_ = has_path_ = has_channels_ = has_add_ = has_after_ = false;
        first_router_ = std::nullopt;
        write_ = std::nullopt;
        after_.clear();
        if (!tokens_.list('{', '}', [&] { return read_member(); }) || !from_ || !to_)
            return false;
        if (network_ != nullptr)
            return take_memory_transfer(step);
        // A single router that is not the source's is an error, which the general reader words.
        if (has_path_ && path_.empty() && first_router_ != topology_.processor(*from_).injection)
            return false;
        const MessageId message = has_message_ ? message_ : names_.implied(*from_, *to_).value_or(no_message);
        step.push_back({message, *from_, *to_, std::nullopt, has_add_ ? Operation::add : Operation::copy});
        if (has_path_ || has_channels_)
            step.back().path.emplace(path_);
        return true;
    }

    /// Nodes, places and links are numbers.
    bool take_memory_transfer(Step& step)
    {
        const PlaceId write = write_.value_or(message_);
        if (!has_channels_) {
            path_.clear();
            const auto link = only_link(*network_, *from_, *to_);
            if (link)
                path_.push_back(*link);
            else if (*from_ != *to_)
                return false;
        }
        step.push_back({{message_, write}, *from_, *to_, path_, has_add_ ? Operation::add : Operation::copy});
        if (!is_in_steps(schedule_))
            schedule_.after.push_back(after_);
        return has_message_ && write < place_limit;
    }

    bool read_member()
    {
        const bool in_memory = network_ != nullptr;
        switch (read_name()) {
        case Member::from:
            return !from_ && (from_ = in_memory ? tokens_.number() : read_processor());
        case Member::to:
            return !to_ && (to_ = in_memory ? tokens_.number() : read_processor());
        case Member::path:
            return !in_memory && !std::exchange(has_path_, true) && !has_channels_ && read_path();
        case Member::write:
            return in_memory && !write_ && (write_ = tokens_.number());
        case Member::after:
            return in_memory && !is_in_steps(schedule_) && !std::exchange(has_after_, true) &&
                   read_numbers(after_);
        case Member::channels:
            return !std::exchange(has_channels_, true) && !has_path_ && read_numbers(path_);
        case Member::message:
            return !std::exchange(has_message_, true) && read_message();
        case Member::add: // what is not true is for the general reader
            return !std::exchange(has_add_, true) && tokens_.take_word("true");
        case Member::origin:
        case Member::unknown:
            break;
        }
        return false;
    }

    /// The name of a member and the colon behind it.
    Member read_name()
    {
        const auto name = tokens_.text();
        if (!name || !tokens_.take(':'))
            return Member::unknown;
        const auto found = std::find(member_names.begin(), member_names.end(), *name);
        return static_cast<Member>(found - member_names.begin());
    }

    std::optional<ProcessorId> read_processor()
    {
        if (tokens_.sees_text()) {
            const auto name = tokens_.text();
            const auto found = name ? topology_.find_processor(*name) : std::nullopt;
            return found && is_plain_name(*name, topology_.processor(*found).name) ? found : std::nullopt;
        }
        const auto index = tokens_.number();
        return index && *index < topology_.processor_count() ? index : std::nullopt;
    }

    bool read_message()
    {
        if (network_ != nullptr || names_.are_numbers()) {
            const auto number = tokens_.number();
            message_ = number.value_or(no_message);
            return number.has_value();
        }
        std::optional<ProcessorId> origin, receiver;
        const auto member = [&] {
            const Member name = read_name();
            if (name != Member::origin && name != Member::to)
                return false;
            std::optional<ProcessorId>& value = name == Member::origin ? origin : receiver;
            return !value && (value = read_processor());
        };
        if (!tokens_.list('{', '}', member) || !origin || receiver.has_value() == is_broadcast(collective_))
            return false;
        message_ = find_message(collective_, *origin, receiver.value_or(*origin)).value_or(no_message);
        return true;
    }

    bool read_numbers(std::vector<std::uint32_t>& numbers)
    {
        numbers.clear();
        return tokens_.list('[', ']', [&] {
            const auto number = tokens_.number();
            numbers.push_back(number.value_or(0));
            return number.has_value();
        });
    }

    bool read_path()
    {
        path_.clear();
        RouterId at = 0;
        const auto router = [&] {
            const auto hop = first_router_ ? read_hop(at) : read_first_router();
            at = hop.value_or(0);
            return hop.has_value();
        };
        return tokens_.list('[', ']', router) && first_router_;
    }

    std::optional<RouterId> read_first_router()
    {
        first_router_ = tokens_.sees_text() ? find_router(tokens_.text()) : read_router_index();
        return first_router_;
    }

    /// The next router of the path, and the channel to it: the neighbours' names are nearer than the table of
    /// all names.
    std::optional<RouterId> read_hop(RouterId from)
    {
        std::optional<RouterId> to;
        std::size_t between = 0;
        ChannelId channel = no_channel; // the validator says so
        const auto look_at_neighbours = [&](auto is_it) {
            for (const ChannelId id : topology_.channels_from(from))
                if (const RouterId target = topology_.channel(id).target; is_it(target)) {
                    to = target;
                    channel = id;
                    ++between;
                }
        };
        if (tokens_.sees_text()) {
            const auto name = tokens_.text();
            if (name && !name->starts_with('#')) // `#` and an index is no name
                look_at_neighbours([&](RouterId id) { return topology_.router_name(id) == *name; });
            if (between == 0) {
                to = find_router(name);
                look_at_neighbours([&](RouterId id) { return id == to; });
            }
        } else {
            to = read_router_index();
            look_at_neighbours([&](RouterId id) { return id == to; });
        }
        if (between > 1) // ambiguous
            return std::nullopt;
        path_.push_back(channel);
        return to;
    }

    /// A number that names nothing is an index only where all of them are: the general reader sees to that.
    static bool is_plain_name(std::string_view text, std::string_view name)
    {
        return text == name || text.starts_with('#');
    }

    std::optional<RouterId> find_router(std::optional<std::string_view> name) const
    {
        const auto found = name ? topology_.find_router(*name) : std::nullopt;
        return found && is_plain_name(*name, topology_.router_name(*found)) ? found : std::nullopt;
    }

    std::optional<RouterId> read_router_index()
    {
        const auto index = tokens_.number();
        return index && *index < topology_.router_count() ? index : std::nullopt;
    }

    PlainTokens tokens_;
    const Topology& topology_;
    const LinkNetwork* network_; ///< none: of messages
    Schedule& schedule_;
    const Collective& collective_;
    const MessageNames names_;
    // Of the transfer at hand.
    std::optional<ProcessorId> from_, to_;
    std::optional<RouterId> first_router_; ///< of its path
    Path path_;
    MessageId message_ = no_message;
    std::optional<PlaceId> write_;
    std::vector<std::uint32_t> after_;
    bool has_message_ = false, has_path_ = false, has_channels_ = false, has_add_ = false, has_after_ = false;
};

/// Skips a text with its escapes; `at` is behind the opening quotation mark. Returns what is between the
/// marks.
std::string_view skip_text(std::string_view text, std::size_t& at)
{
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    at = std::min(at, text.size());
    const std::string_view inside = text.substr(begin, at - begin);
    ++at;
    return inside;
}

} // namespace

std::optional<SplitText> split_steps(std::string_view text)
{
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at++];
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && depth-- <= 1)
            return std::nullopt;
        if (c != '"')
            continue;
        const std::string_view name = skip_text(text, at);
        if (depth != 1 || name != "steps")
            continue;
        const auto colon = text.find_first_not_of(json_spaces, at);
        if (colon == std::string_view::npos || text[colon] != ':')
            continue; // a value, not a name
        const auto list = text.find_first_not_of(json_spaces, colon + 1);
        if (list == std::string_view::npos || text[list] != '[')
            return std::nullopt;
        return SplitText{std::string(text.substr(0, list)) + "[]}", text.substr(list)};
    }
    return std::nullopt;
}

bool read_plain_steps(std::string_view text, const Topology& topology, const LinkNetwork* network,
                      Schedule& schedule)
{
    return PlainSteps(text, topology, network, schedule).read();
}

} // namespace nocturne
