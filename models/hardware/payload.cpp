#include "models/hardware/payload.hpp"

#include "models/text/unknown_name.hpp"

namespace nocturne {

std::string to_string(PayloadForm form)
{
    return form == PayloadForm::held ? "held" : "digest";
}

PayloadForm parse_payload_form(std::string_view text)
{
    return value_named("payload", text, {PayloadForm::held, PayloadForm::digest});
}

} // namespace nocturne
