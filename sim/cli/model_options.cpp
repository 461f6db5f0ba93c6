#include "sim/cli/model_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

OptionTable model_options()
{
    return option_table("Model", {{"model", text_value("MODEL", "flit").parsed_by(parse_model),
                                   "flit: every flit moves; worm: messages take and release channels, at a "
                                   "cost that does not depend on their length"}});
}

OptionTable payload_options()
{
    return option_table("Payload",
                        {{"payload", text_value("FORM", "held").parsed_by(parse_payload_form),
                          "of the contents of messages, held: every byte; digest: a sum that is checked byte "
                          "position by byte position, so that memory does not grow with the message size "
                          "(always with --model worm)"}});
}

NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options)
{
    const NetworkModel model = parse_model(given.text("model"));
    for (const char* const option : flit_options)
        if (model != NetworkModel::flit && given.is_given(option))
            throw std::invalid_argument(fmt::format("--{}: takes --model flit", option));
    return model;
}

PayloadForm payload_of(const OptionValues& given)
{
    const PayloadForm form = parse_payload_form(given.text("payload"));
    if (given.is_given("payload") && form == PayloadForm::held &&
        parse_model(given.text("model")) == NetworkModel::worm)
        throw std::invalid_argument("--payload held: takes --model flit");
    return form;
}

} // namespace nocturne::cli
