#include "sim/cli/model_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

OptionTable model_options()
{
    return option_table("Model", {{"model", text_value("MODEL", "flit"),
                                   "flit: every flit moves; worm: messages take and release channels, at a "
                                   "cost that does not depend on their length"}});
}

NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options)
{
    const NetworkModel model = parse_model(given.text("model"));
    for (const char* const option : flit_options)
        if (model != NetworkModel::flit && given.is_given(option))
            throw std::invalid_argument(fmt::format("--{}: takes --model flit", option));
    return model;
}

} // namespace nocturne::cli
