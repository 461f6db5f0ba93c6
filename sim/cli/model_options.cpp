#include "sim/cli/model_options.hpp"

#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

OptionTable model_options()
{
    return option_table("Model", {{"model", text_value("MODEL", "flit").parsed_by(parse_model),
                                   "flit: simulate every flit; worm: simulate messages that acquire and "
                                   "release channels, at a cost independent of their length"}});
}

OptionTable payload_options()
{
    return option_table(
        "Payload",
        {{"payload", text_value("FORM").parsed_by(parse_payload_form),
          "message contents: held (every byte) or digest (64 bits, so memory does not grow with the message "
          "size); default: held with --model flit or --element, digest with --model worm"},
         {"element", text_value("TYPE", "int32").parsed_by(parse_chunk_element),
          "type of the added elements: int32 or float32"}});
}

NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options)
{
    const NetworkModel model = parse_model(given.text("model"));
    for (const char* const option : flit_options)
        if (model != NetworkModel::flit && given.is_given(option))
            throw std::invalid_argument(fmt::format("--{}: only with --model flit", option));
    return model;
}

void set_payload(const OptionValues& given, const Collective& collective, ContentOptions& options)
{
    if (given.has("payload"))
        options.payload = parse_payload_form(given.text("payload"));
    options.element = parse_chunk_element(given.text("element"));
    if (!given.is_given("element"))
        return;
    if (!reduces(collective))
        throw std::invalid_argument(
            fmt::format("--element: nothing is added in {}", in_words(collective.kind)));
    if (options.payload == PayloadForm::digest)
        throw std::invalid_argument("--element: only with --payload held");
    options.payload = PayloadForm::held;
}

} // namespace nocturne::cli
