#include "schedules/schedule/checked_json.hpp"

#include "models/text/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
// The only file that compiles RapidJSON.
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne {

namespace {

using Validator = rapidjson::GenericSchemaValidator<rapidjson::SchemaDocument>;

constexpr std::size_t deepest = 64;

std::string to_text(const rapidjson::Pointer& pointer)
{
    rapidjson::StringBuffer buffer;
    pointer.Stringify(buffer);
    return buffer.GetSize() == 0 ? "/" : std::string(buffer.GetString(), buffer.GetSize());
}

/// Passes what the reader sees on to the schema's validator, and checks what no schema can say.
class Checker {
public:
    using Ch = char;

    explicit Checker(Validator& validator) : validator_(validator) {}

    bool Null() { return validator_.Null(); }
    bool Bool(bool value) { return validator_.Bool(value); }
    bool Int(int value) { return validator_.Int(value); }
    bool Uint(unsigned value) { return validator_.Uint(value); }
    bool Int64(std::int64_t value) { return validator_.Int64(value); }
    bool Uint64(std::uint64_t value) { return validator_.Uint64(value); }
    /// Never more than an integer of 64 bits takes, to which the validator converts it.
    bool Double(double value) { return validator_.Double(std::clamp(value, -9e18, 1.8e19)); }
    bool RawNumber(const char* text, unsigned size, bool copy)
    {
        return validator_.RawNumber(text, size, copy);
    }
    bool String(const char* text, unsigned size, bool copy) { return validator_.String(text, size, copy); }
    bool StartObject() { return open() && validator_.StartObject(); }
    bool Key(const char* text, unsigned size, bool copy)
    {
        if (!members_.back().emplace(text, size).second) {
            reason_ = fmt::format("'{}' appears twice", std::string_view(text, size));
            return false;
        }
        return validator_.Key(text, size, copy);
    }
    bool EndObject(unsigned count)
    {
        // Its members stay until then: a message may have to say which is missing.
        const bool valid = validator_.EndObject(count);
        if (valid)
            members_.pop_back();
        return valid;
    }
    bool StartArray() { return open() && validator_.StartArray(); }
    bool EndArray(unsigned count)
    {
        members_.pop_back();
        return validator_.EndArray(count);
    }

    /// Where the reader stands and what is wrong there, once something is.
    std::string error(const rapidjson::Document& schema) const
    {
        const std::string place = to_text(validator_.GetInvalidDocumentPointer());
        return fmt::format("{}: {}", place, reason_.empty() ? schema_error(schema) : reason_);
    }

private:
    bool open()
    {
        members_.emplace_back();
        if (members_.size() > deepest)
            reason_ = fmt::format("nested deeper than {} levels", deepest);
        return members_.size() <= deepest;
    }

    std::string schema_error(const rapidjson::Document& schema) const
    {
        const std::string keyword = validator_.GetInvalidSchemaKeyword();
        const rapidjson::Value* rule = validator_.GetInvalidSchemaPointer().Get(schema);
        if (rule && rule->IsObject() && rule->HasMember("$ref")) // "#/definitions/vertex"
            rule = rapidjson::Pointer((*rule)["$ref"].GetString()).Get(schema);
        if (keyword == "additionalProperties")
            return "unknown member";
        if (keyword == "required" && rule) {
            std::vector<std::string> missing;
            for (const auto& member : (*rule)["required"].GetArray())
                if (!members_.back().contains(member.GetString()))
                    missing.push_back(fmt::format("'{}'", member.GetString()));
            return fmt::format("{} missing", fmt::join(missing, ", "));
        }
        if (rule && rule->IsObject() && rule->HasMember("description"))
            return fmt::format("expected {}", (*rule)["description"].GetString());
        return fmt::format("'{}' of the schema is violated", keyword);
    }

    Validator& validator_;
    std::vector<std::set<std::string, std::less<>>>
        members_; // of the objects (and, empty, arrays) that are open
    std::string reason_;
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

rapidjson::Document parse_schema(std::string_view schema)
{
    rapidjson::Document document;
    document.Parse(schema.data(), schema.size());
    if (document.HasParseError() || !document.IsObject())
        throw std::logic_error("the JSON Schema is no JSON object");
    return document;
}

} // namespace

nlohmann::json read_checked_json(std::string_view text, std::string_view schema, std::string_view origin)
{
    const rapidjson::Document schema_document = parse_schema(schema);
    const rapidjson::SchemaDocument compiled(schema_document);
    Validator validator(compiled);
    Checker checker(validator);
    rapidjson::MemoryStream stream(text.data(), text.size());
    rapidjson::Reader reader;
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
    const rapidjson::ParseResult result = reader.Parse<flags>(stream, checker);
    if (result.IsError()) {
        const std::string reason = result.Code() == rapidjson::kParseErrorTermination
                                       ? checker.error(schema_document)
                                       : rapidjson::GetParseError_En(result.Code());
        throw std::runtime_error(
            fmt::format("{}:{}: {}", origin, line_and_column(text, result.Offset()), reason));
    }
    try {
        return json_from_text(text);
    } catch (const nlohmann::json::parse_error&
                 error) { // it is stricter in a few corners, such as lone surrogates
        throw std::runtime_error(fmt::format("{}:{}: Invalid text.", origin,
                                             line_and_column(text, error.byte == 0 ? 0 : error.byte - 1)));
    }
}

} // namespace nocturne
