// JSON text against a JSON Schema (draft 4).
#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace nocturne {

/// The value of `text` once it is known to be JSON (RFC 8259, valid UTF-8, no member twice in an object, at
/// most 64 levels deep) and to satisfy `schema`. What the schema's "description" says of a value is what an
/// error says is expected. Throws std::runtime_error, one line with `origin` (the file), line and column, and
/// the JSON pointer of the value: `ring.json:7:21: /steps/0/3: 'to' is missing`. Throws std::logic_error if
/// `schema` is no schema.
nlohmann::json read_checked_json(std::string_view text, std::string_view schema, std::string_view origin);

} // namespace nocturne
