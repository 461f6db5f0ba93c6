#include "sim/report/origin.hpp"

namespace nocturne {

nlohmann::ordered_json to_json(const Origin& origin)
{
    nlohmann::ordered_json json{{"program", "nocturne"},
                                {"version", origin.version},
                                {"command", origin.command},
                                {"options", origin.options}};
    if (!origin.remarks.empty())
        json["remarks"] = origin.remarks;
    return json;
}

Table with_origin(Table table, const Origin& origin)
{
    table.columns.push_back({"version", "", Align::left});
    table.columns.push_back({"command", "", Align::left});
    for (std::vector<Cell>& row : table.rows)
        row.insert(row.end(), {origin.version, origin.command});
    return table;
}

} // namespace nocturne
