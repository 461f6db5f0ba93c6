#include "sim/imports/import_configuration.hpp"

#include "models/text/foreign_configuration.hpp"
#include "sim/imports/booksim.hpp"
#include "sim/imports/garnet.hpp"
#include "sim/imports/noxim.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

ImportedCommand import_configuration(std::span<const ForeignText> texts, const std::string& network_file)
{
    const ForeignText& first = texts.front();
    const std::string_view kind = foreign_configuration(first.text);
    if (texts.size() > 1)
        throw std::runtime_error(fmt::format(
            "{}: one file is wanted, or the network and the system of ASTRA-sim", texts[1].origin));
    if (kind == "a BookSim2 configuration")
        return import_booksim(first.text, first.origin, network_file);
    if (kind == "a Noxim configuration")
        return import_noxim(first.text, first.origin);
    if (kind == "a gem5 command line")
        return import_garnet(first.text, first.origin);
    throw std::runtime_error(
        fmt::format("{}: this is no configuration of BookSim2, Noxim, gem5 or ASTRA-sim", first.origin));
}

} // namespace nocturne
