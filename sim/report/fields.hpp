// Results as lists of fields. The name, the unit and the meaning of a figure stand in one place, beside the
// member that has it: JSON, CSV, tables on the terminal, columns of a sweep's database, attributes in Python
// and docs/results.md are made from the list.
//
//     Fields<Probe> fields_of(const Probe*)
//     {
//         return {"probe",
//                 "One message that looks for a fault.",
//                 {{"time_ns", "ns", "When it was sent.", &Probe::time_ns},
//                  {"arrived", "", "Did it reach its receiver?", &Probe::arrived}}};
//     }
//
// A type with such a function beside it, found by argument-dependent lookup, is a result: it goes to JSON and
// comes back from it (exact for every finite number as text, and for every number in a binary form such as
// CBOR), and so do optional ones (null) and vectors of it. Reading throws nlohmann::json::exception for a
// member that is missing or of another type.
#pragma once

#include "sim/report/optional_json.hpp"
#include "sim/report/result_description.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nocturne {

template <class Result>
class Fields;

template <class Result>
concept HasFields = std::same_as<decltype(fields_of(std::declval<const Result*>())), Fields<Result>>;

/// The list of a kind of result.
template <HasFields Result>
const Fields<Result>& fields_for()
{
    static const Fields<Result> fields = fields_of(static_cast<const Result*>(nullptr));
    return fields;
}

/// What is said of a kind of result.
template <HasFields Result>
const ResultDescription& description_of()
{
    return fields_for<Result>().description();
}

namespace fields {

/// The type of a field's value without `optional` and `vector` around it.
template <class Value>
struct Inner {
    using Type = Value;
    static constexpr bool is_list = false;
};
template <class Value>
struct Inner<std::optional<Value>> : Inner<Value> {
};
template <class Value>
struct Inner<std::vector<Value>> {
    using Type = typename Inner<Value>::Type;
    static constexpr bool is_list = true;
};

template <class Value>
constexpr FieldKind kind_of_value()
{
    using Type = typename Inner<Value>::Type;
    if (HasFields<Type>)
        return Inner<Value>::is_list ? FieldKind::rows : FieldKind::object;
    if (Inner<Value>::is_list)
        return FieldKind::list;
    if (std::is_same_v<Type, bool>)
        return FieldKind::flag;
    return std::is_arithmetic_v<Type> ? FieldKind::number : FieldKind::text;
}

} // namespace fields

/// One field of a result: what is said of it, and how it is read and set.
template <class Result>
struct Field {
    FieldDescription description;
    std::function<void(nlohmann::ordered_json&, const Result&)> write; ///< into the object of the result
    std::function<void(const nlohmann::json&, Result&)> read; ///< out of it; empty: it follows from others

    /// `get` is a member, or a function of the result: a number, a flag, text (null in JSON if it is empty),
    /// a result, an optional one or a vector of these. A field of a function is not read from JSON.
    template <class Get>
    Field(std::string name, std::string unit, std::string meaning, Get get, Shown shown = Shown::everywhere)
    {
        using Value = std::decay_t<std::invoke_result_t<Get, const Result&>>;
        using Type = typename fields::Inner<Value>::Type;
        description = {std::move(name), std::move(unit), std::move(meaning), fields::kind_of_value<Value>(),
                       shown};
        if constexpr (HasFields<Type>)
            description.parts = &description_of<Type>;
        const std::string key = description.name;
        write = [key, get, shown](nlohmann::ordered_json& json, const Result& result) {
            nlohmann::ordered_json value = std::invoke(get, result);
            if constexpr (std::is_convertible_v<Value, std::string_view>)
                if (value == "")
                    value = nullptr;
            if (shown != Shown::if_any || !value.empty())
                json[key] = std::move(value);
        };
        if constexpr (std::is_member_object_pointer_v<Get>)
            read = [key, get, shown](const nlohmann::json& json, Result& result) {
                if (shown == Shown::if_any && !json.contains(key))
                    return;
                const nlohmann::json& value = json.at(key);
                if (value.is_null()) // what a result begins with
                    result.*get = {};
                else
                    value.get_to(result.*get);
            };
    }

    /// Null in JSON where a function of the result says no.
    Field null_unless(std::function<bool(const Result&)> is_there) const
    {
        Field field = *this;
        field.write = [write = write, name = description.name, is_there](nlohmann::ordered_json& json,
                                                                         const Result& result) {
            write(json, result);
            if (!is_there(result))
                json[name] = nullptr;
        };
        return field;
    }

    Field(FieldDescription about, decltype(write) writes, decltype(read) reads)
        : description(std::move(about)), write(std::move(writes)), read(std::move(reads))
    {
    }
};

/// All fields of a result, in the order in which they are shown.
template <class Result>
class Fields {
public:
    Fields(std::string name, std::string meaning, std::initializer_list<Field<Result>> list)
        : fields_(list), description_{std::move(name), std::move(meaning), {}}
    {
        for (const Field<Result>& field : fields_)
            description_.fields.push_back(field.description);
    }

    /// Those of a part as fields of the whole, behind those there are.
    template <class Part>
    Fields& with(Part Result::*part)
    {
        for (const Field<Part>& field : fields_for<Part>().list()) {
            decltype(Field<Result>::read) read;
            if (field.read)
                read = [field, part](const nlohmann::json& json, Result& result) {
                    field.read(json, result.*part);
                };
            const auto write = [field, part](nlohmann::ordered_json& json, const Result& result) {
                field.write(json, result.*part);
            };
            add({field.description, write, read});
        }
        return *this;
    }
    /// More of them, likewise.
    Fields& with(std::initializer_list<Field<Result>> list)
    {
        for (const Field<Result>& field : list)
            add(field);
        return *this;
    }

    /// Behind each field so far whose unit is cycles, NAME_cycles, the same as NAME_ns. `cycle_ns`: a member,
    /// or a function of the result.
    template <class Get>
    Fields& with_ns(Get cycle_ns)
    {
        std::vector<Field<Result>> all;
        for (Field<Result>& field : std::exchange(fields_, {})) {
            all.push_back(field);
            if (field.description.unit != "cycles")
                continue;
            const std::string cycles = field.description.name;
            FieldDescription twin = field.description;
            twin.name = cycles.substr(0, cycles.size() - std::string_view("cycles").size()) + "ns";
            if (std::ranges::find(description_.fields, twin.name, &FieldDescription::name) !=
                description_.fields.end())
                continue; // of a part, which has its own
            twin.unit = "ns";
            twin.shown = Shown::in_files;
            all.emplace_back(
                twin,
                [=](nlohmann::ordered_json& json, const Result& result) {
                    nlohmann::ordered_json value = json[cycles];
                    if (value.is_number())
                        value = value.template get<double>() * std::invoke(cycle_ns, result);
                    json[twin.name] = std::move(value);
                },
                nullptr);
        }
        description_.fields.clear();
        fields_ = std::move(all);
        for (const Field<Result>& field : fields_)
            description_.fields.push_back(field.description);
        return *this;
    }

    const std::vector<Field<Result>>& list() const { return fields_; }
    const ResultDescription& description() const { return description_; }

private:
    void add(const Field<Result>& field)
    {
        fields_.push_back(field);
        description_.fields.push_back(field.description);
    }

    std::vector<Field<Result>> fields_;
    ResultDescription description_;
};

/// One table row for each of `results`, or for each of the rows inside them (see rows_of()).
template <class Results, HasFields Result = std::remove_cv_t<typename Results::value_type>>
Table table_of(std::string title, const Results& results)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Result& result : results)
        json.push_back(result);
    return result_table(std::move(title), description_of<Result>(), json);
}

} // namespace nocturne

/// @cond Doxygen does not know a class of another library.
template <nocturne::HasFields Result>
struct nlohmann::adl_serializer<Result, void> {
    static void to_json(ordered_json& json, const Result& result)
    {
        json = ordered_json::object();
        for (const auto& field : nocturne::fields_for<Result>().list())
            field.write(json, result);
    }
    static void to_json(nlohmann::json& json, const Result& result) { json = ordered_json(result); }
    static void from_json(const nlohmann::json& json, Result& result)
    {
        for (const auto& field : nocturne::fields_for<Result>().list())
            if (field.read)
                field.read(json, result);
    }
};
/// @endcond
