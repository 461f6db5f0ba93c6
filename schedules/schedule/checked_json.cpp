#include "schedules/schedule/checked_json.hpp"

#include "models/text/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne {

namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 64;

/// Over a text; its owner knows how far it has been read.
class CountedText {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedText(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}
    reference operator*() const { return *at_; }
    CountedText& operator++()
    {
        *farthest_ = ++at_;
        return *this;
    }
    friend bool operator==(const CountedText& a, const CountedText& b) { return a.at_ == b.at_; }

private:
    const char* at_;
    const char** farthest_;
};

bool is_of_type(const Json& value, const std::string& type)
{
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
}

/// Checks what the reader sees against a schema, and what no schema can say.
class Checker : public nlohmann::json_sax<Json> {
public:
    Checker(std::string_view text, const Json& schema)
        : text_(text), read_(std::to_address(text.begin())), end_of_last_(read_), schema_(schema)
    {
    }

    void check()
    {
        Json::sax_parse(CountedText(read_, &read_), CountedText(read_ + text_.size(), &read_), this);
    }
    /// What is wrong, "" if nothing is, and the byte where that begins.
    const std::string& reason() const { return reason_; }
    std::size_t place() const { return place_; }

    bool null() override { return value(nullptr); }
    bool boolean(bool given) override { return value(given); }
    bool number_integer(number_integer_t given) override { return number(given); }
    bool number_unsigned(number_unsigned_t given) override { return number(given); }
    bool number_float(number_float_t given, const string_t&) override { return number(given); }
    bool string(string_t& given) override { return value(given); }
    bool binary(binary_t&) override { return false; } // not in text
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }

    bool key(string_t& name) override
    {
        Frame& object = frames_.back();
        if (!object.members.insert(name).second)
            return fail(fmt::format("'{}' appears twice", name));
        object.next = name;
        if (object.schema == nullptr)
            return go_on();
        const bool is_known =
            object.schema->contains("properties") && object.schema->at("properties").contains(name);
        if (!is_known && !object.schema->value("additionalProperties", true))
            return fail("unknown member", true);
        return go_on();
    }

    bool end_object() override
    {
        const Frame& object = frames_.back();
        std::vector<std::string> missing;
        if (object.schema != nullptr && object.schema->contains("required"))
            for (const Json& name : object.schema->at("required"))
                if (!object.members.contains(name.get<std::string>()))
                    missing.push_back(fmt::format("'{}'", name.get<std::string>()));
        return missing.empty() ? close() : fail(fmt::format("{} missing", fmt::join(missing, ", ")));
    }

    bool end_array() override
    {
        const Frame& array = frames_.back();
        if (array.schema != nullptr && (array.count < array.schema->value("minItems", std::size_t{0}) ||
                                        array.count > array.schema->value("maxItems", array.count)))
            return fail(expectation(*array.schema));
        return close();
    }

    bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override
    {
        // "[json.exception.parse_error.101] parse error at line 2, column 3: syntax error while parsing
        // value - invalid literal; last read: 'N'"
        reason_ = error.what();
        for (const char* const before : {"] ", " - "})
            if (const auto at = reason_.find(before); at != std::string::npos)
                reason_.erase(0, at + std::string_view(before).size());
        reason_.erase(std::min(reason_.size(), reason_.find("; last read")));
        place_ = byte == 0 ? 0 : byte - 1;
        return false;
    }

private:
    /// An object or array that is open.
    struct Frame {
        const Json* schema; ///< null: anything may be in it
        bool is_array;
        std::set<std::string, std::less<>> members = {}; ///< of an object
        std::string next = {};                           ///< of an object: the member that is read
        std::size_t count = 0;                           ///< of an array: elements so far
    };

    const Json& resolved(const Json& schema) const
    {
        if (!schema.contains("$ref"))
            return schema;
        return schema_.at(
            Json::json_pointer(schema["$ref"].get<std::string>().substr(1))); // "#/definitions/x"
    }

    /// Of the value that comes next; null if there is none.
    const Json* schema_of_next() const
    {
        if (frames_.empty())
            return &resolved(schema_);
        const Frame& frame = frames_.back();
        const char* const inside = frame.is_array ? "items" : "properties";
        if (frame.schema == nullptr || !frame.schema->contains(inside))
            return nullptr;
        const Json& schemas = (*frame.schema)[inside];
        if (frame.is_array)
            return &resolved(schemas);
        return schemas.contains(frame.next) ? &resolved(schemas[frame.next]) : nullptr;
    }

    static std::string expectation(const Json& schema)
    {
        return "expected " + schema.value("description", std::string("another value"));
    }

    /// `given` is empty where it is an object or array.
    bool is_allowed(const Json& given, const Json& schema) const
    {
        if (schema.contains("type")) {
            const Json& type = schema["type"];
            const auto is_it = [&](const Json& name) { return is_of_type(given, name.get<std::string>()); };
            if (!(type.is_array() ? std::any_of(type.begin(), type.end(), is_it) : is_it(type)))
                return false;
        }
        if (schema.contains("enum") && std::ranges::find(schema["enum"], given) == schema["enum"].end())
            return false;
        if (!given.is_number())
            return true;
        return (!schema.contains("maximum") || given <= schema["maximum"]) &&
               (!schema.contains("minimum") || given > schema["minimum"] ||
                (given == schema["minimum"] && !schema.value("exclusiveMinimum", false)));
    }

    bool begin(const Json& given)
    {
        const Json* const schema = schema_of_next();
        if (schema != nullptr && !is_allowed(given, *schema))
            return fail(expectation(*schema), true);
        return true;
    }

    bool value(const Json& given)
    {
        if (!begin(given))
            return false;
        end_of_value();
        return go_on();
    }

    bool number(const Json& given)
    {
        if (!value(given))
            return false;
        // The reader has to see what comes behind a number.
        if (std::string_view(",]} \t\r\n").find(end_of_last_[-1]) != std::string_view::npos)
            --end_of_last_;
        return true;
    }

    bool open(const Json& given)
    {
        if (!begin(given))
            return false;
        const Json* const schema = schema_of_next();
        frames_.push_back({schema, given.is_array()});
        return frames_.size() <= deepest ? go_on()
                                         : fail(fmt::format("nested deeper than {} levels", deepest));
    }

    bool close()
    {
        frames_.pop_back();
        end_of_value();
        return go_on();
    }

    void end_of_value()
    {
        if (!frames_.empty())
            ++frames_.back().count;
    }

    bool go_on()
    {
        end_of_last_ = read_;
        return true;
    }

    /// `at_next`: of the value that comes next, not of the object or array that it is in.
    bool fail(const std::string& reason, bool at_next = false)
    {
        std::string pointer;
        for (std::size_t i = 0; i + (at_next ? 0 : 1) < frames_.size(); ++i) {
            const Frame& frame = frames_[i];
            Json::json_pointer name;
            frame.is_array ? name.push_back(std::to_string(frame.count)) : name.push_back(frame.next);
            pointer += name.to_string();
        }
        reason_ = fmt::format("{}: {}", pointer.empty() ? "/" : pointer, reason);
        const std::size_t last = static_cast<std::size_t>(end_of_last_ - text_.data());
        place_ = std::min(text_.find_first_not_of(",: \t\r\n", last), text_.size());
        return false;
    }

    std::string_view text_;
    const char* read_;        ///< up to here
    const char* end_of_last_; ///< of the last token that was looked at
    const Json& schema_;
    std::vector<Frame> frames_;
    std::string reason_;
    std::size_t place_ = 0;
};

/// "7:21": line and column of a byte, from 1.
std::string line_and_column(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto line_begin = before.rfind('\n');
    const auto column = line_begin == std::string_view::npos ? before.size() + 1 : before.size() - line_begin;
    return fmt::format("{}:{}", line, column);
}

} // namespace

nlohmann::json read_checked_json(std::string_view text, std::string_view schema, std::string_view origin)
{
    const Json rules = json_or_discarded(schema);
    if (!rules.is_object())
        throw std::logic_error("the JSON Schema is no JSON object");
    Checker checker(text, rules);
    checker.check();
    if (!checker.reason().empty())
        throw std::runtime_error(
            fmt::format("{}:{}: {}", origin, line_and_column(text, checker.place()), checker.reason()));
    return json_from_text(text);
}

} // namespace nocturne
