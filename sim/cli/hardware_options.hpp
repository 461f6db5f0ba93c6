// The hardware's configuration on the command line.
#pragma once

#include "models/hardware/configuration.hpp"

#include <boost/program_options.hpp>

namespace nocturne::cli {

boost::program_options::options_description hardware_options();

/// The configuration; with `--vcs auto` as many virtual channels as `vc_classes`. Throws
/// std::invalid_argument for a value out of range.
HardwareConfig hardware_of(const boost::program_options::variables_map& map, unsigned vc_classes = 1);

} // namespace nocturne::cli
