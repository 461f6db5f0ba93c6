#include "sim/cli/command.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"

namespace nocturne::cli {

namespace po = boost::program_options;

int run_validate(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(schedule_options());
    options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                          "write the schedule, with the paths that were found for it");
    const po::variables_map map = parse(
        {.command = "validate",
         .positional = "schedule",
         .description = "Judges a schedule by every rule and reports every violation, with step, transfer "
                        "and channel.\nPaths that the file leaves out are searched first.\n",
         .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                      "nocturne validate aas.json"}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const InputSchedule input = schedule_of(map);
    if (map.count("output") != 0)
        save_schedule(map["output"].as<std::string>(), input.schedule, input.topology);
    return judge(input, map);
}

} // namespace nocturne::cli
