#include "tests/models/topology/all_networks.hpp"

#include "tests/rows.hpp"

#include <sstream>
#include <stdexcept>

namespace nocturne::test {

namespace {

const std::vector<Row>& rows()
{
    static const std::vector<Row> rows = rows_of("models/topology/networks.txt");
    return rows;
}

/// Of every kind those of a cell.
void append_specifications(std::vector<std::string>& specs, std::size_t cell)
{
    for (const Row& row : rows()) {
        std::istringstream sizes(row.cells.at(cell));
        for (std::string size; sizes >> size;)
            if (size == ".")
                specs.push_back(row.cells[0]);
            else if (size != "-")
                specs.push_back(row.cells[0] + ':' + size);
    }
}

} // namespace

std::vector<std::string> all_networks()
{
    std::vector<std::string> specs = small_networks();
    append_specifications(specs, 3);
    return specs;
}

std::vector<std::string> small_networks()
{
    std::vector<std::string> specs;
    append_specifications(specs, 2);
    return specs;
}

bool has_trait(const std::string& spec, const std::string& trait)
{
    const std::string kind = spec.substr(0, spec.find(':'));
    for (const Row& row : rows())
        if (row.cells[0] == kind)
            return (' ' + row.cells[1] + ' ').find(' ' + trait + ' ') != std::string::npos;
    throw std::invalid_argument(spec + ": no kind of networks.txt");
}

Topology unusual_topology()
{
    Topology topology("odd \"name\" & <more>, \\ and a \xC3\xA9");
    topology.add_router("a b", Position{0.125, -3.5});
    topology.add_router("quote\"d", Position{1.0 / 3, 1e-9});
    topology.add_router("<x&y>", Position{7, 1e5});
    topology.add_router("10");
    topology.set_copying(3);
    topology.add_channel(Channel{0, 1, 7, 16, 2.5});
    topology.add_channel(Channel{1, 0, 7, 16, 2.5});
    topology.add_channel(Channel{1, 2, 1, 0, 0.1});
    topology.add_channel(Channel{2, 1, 2, 0, 0.1});
    topology.add_channel(Channel{0, 1, 4294967295u, 4294967295u, 1e300});
    topology.add_channel(Channel{2, 3});
    topology.add_channel(Channel{3, 0});
    topology.add_channel(Channel{3, 3, 5});
    topology.add_processor(2, 0, "first");
    topology.add_processor(0, 0, "second; {third}");
    topology.add_processor(0, 0, "->");
    topology.add_processor(3, 1, "#");
    topology.set_default_ports(PortModel{3});
    topology.set_grid(Grid{{2, 1, 2}, true});
    topology.set_routers_per_group(2);
    topology.set_tag_digits({{2, 4, true}, {3, 1, false}});
    return topology;
}

} // namespace nocturne::test
