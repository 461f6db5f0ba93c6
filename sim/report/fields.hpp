// Results as lists of fields. The name, the unit and the meaning of a figure stand in one place, beside the
// member that has it: JSON, CSV, tables on the terminal, columns of a sweep's database, attributes in Python
// and `nocturne man results` are made from the list.
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

#include "sim/report/field_list.hpp"
#include "sim/report/optional_json.hpp"
#include "sim/report/result_description.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
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
struct Inner<std::optional<Value>> : Inner<Value> {};
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

template <class Value>
inline constexpr bool is_rows = false;
template <HasFields Result>
inline constexpr bool is_rows<std::vector<Result>> = true;

template <class Value>
nlohmann::ordered_json json_of(const Value& value)
{
    if constexpr (std::is_convertible_v<Value, std::string_view>)
        return text_or_null(value);
    else if constexpr (is_rows<Value>) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (const auto& row : value)
            rows.push_back(fields_for<typename Value::value_type>().list().json_of(&row));
        return rows;
    } else
        return value;
}

template <class Value>
void set_from(const nlohmann::json& json, Value& value)
{
    value = Value(); // what a result begins with
    if (json.is_null())
        return;
    if constexpr (is_rows<Value>) {
        value.resize(size_of_array(json));
        for (std::size_t i = 0; i < value.size(); ++i)
            fields_for<typename Value::value_type>().list().read(json[i], &value[i]);
    } else
        json.get_to(value);
}

template <class Result, class Get>
nlohmann::ordered_json value_of(const Getter& getter, const void* result)
{
    return json_of<std::decay_t<std::invoke_result_t<Get, const Result&>>>(
        std::invoke(getter.as<Get>(), *static_cast<const Result*>(result)));
}

template <class Result, class Get>
void set_value(const Getter& getter, const nlohmann::json& json, void* result)
{
    set_from(json, static_cast<Result*>(result)->*getter.as<Get>());
}

} // namespace fields

/// One field of a result: what is said of it, and how it is read and set.
template <class Result>
struct Field : fields::Row {
    /// `get` is a member, or a function of the result: a number, a flag, text (null in JSON if it is empty),
    /// a result, an optional one or a vector of these. A field of a function is not read from JSON.
    template <class Get>
    Field(std::string_view name, std::string_view unit, std::string_view meaning, Get get,
          Shown shown = Shown::everywhere)
        : Row(name, unit, meaning, shown, fields::Getter(get), &fields::value_of<Result, Get>)
    {
        using Value = std::decay_t<std::invoke_result_t<Get, const Result&>>;
        using Type = typename fields::Inner<Value>::Type;
        description.kind = fields::kind_of_value<Value>();
        if constexpr (HasFields<Type>)
            description.parts = &description_of<Type>;
        if constexpr (std::is_member_object_pointer_v<Get>)
            set = &fields::set_value<Result, Get>;
    }

    /// Null in JSON where a function of the result says no.
    template <class IsThere>
    Field null_unless(IsThere says) const
    {
        Field field = *this;
        field.is_there = [says](const void* result) {
            return std::invoke(says, *static_cast<const Result*>(result));
        };
        return field;
    }
};

/// All fields of a result, in the order in which they are shown.
template <class Result>
class Fields {
public:
    Fields(std::string_view name, std::string_view meaning, std::initializer_list<Field<Result>> list)
        : list_(name, meaning)
    {
        with(list);
    }

    /// Those of a part as fields of the whole, behind those there are.
    template <class Part>
    Fields& with(Part Result::* part)
    {
        list_.add_part(fields_for<Part>().list(), [part](const void* result) -> const void* {
            return &(static_cast<const Result*>(result)->*part);
        });
        return *this;
    }
    /// More of them, likewise.
    Fields& with(std::initializer_list<Field<Result>> list)
    {
        for (const Field<Result>& field : list)
            list_.add(field);
        return *this;
    }

    /// Behind each field so far whose unit is cycles, NAME_cycles, the same as NAME_ns. `cycle_ns`: a member,
    /// or a function of the result.
    template <class Get>
    Fields& with_ns(Get cycle_ns)
    {
        list_.add_ns([cycle_ns](const void* result) -> double {
            return std::invoke(cycle_ns, *static_cast<const Result*>(result));
        });
        return *this;
    }

    const fields::List& list() const { return list_; }
    const ResultDescription& description() const { return list_.description(); }

private:
    fields::List list_;
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
        json = nocturne::fields_for<Result>().list().json_of(&result);
    }
    static void to_json(nlohmann::json& json, const Result& result) { json = ordered_json(result); }
    static void from_json(const nlohmann::json& json, Result& result)
    {
        nocturne::fields_for<Result>().list().read(json, &result);
    }
};
/// @endcond
