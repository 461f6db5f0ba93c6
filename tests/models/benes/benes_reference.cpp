#include "benes_reference.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nocturne::test {

const std::vector<BenesSize>& benes_sizes()
{
    static const std::vector<BenesSize> sizes{
        {2, 1, 0}, {2, 2, 0}, {2, 3, 0}, {2, 3, 1}, {2, 3, 2}, {2, 5, 0}, {2, 5, 3}, {3, 1, 0}, {3, 2, 0},
        {3, 3, 0}, {3, 3, 1}, {4, 2, 1}, {4, 3, 0}, {4, 3, 1}, {5, 2, 0}, {8, 2, 0}, {2, 6, 4}};
    return sizes;
}

std::vector<std::uint32_t> lines_of(const BenesWiring& wiring, std::uint32_t source,
                                    std::span<const std::uint16_t> tag)
{
    std::vector<std::uint32_t> lines;
    std::uint32_t line = source;
    for (unsigned column = 0; column < wiring.columns(); ++column) {
        lines.push_back(wiring.leaves(line, tag[column]));
        if (column + 1 < wiring.columns())
            line = wiring.enters_next(column, lines.back());
    }
    return lines;
}

PermutationRun route_plainly(const BenesWiring& wiring, std::span<const std::uint32_t> destination,
                             const RandomizedRouting& how)
{
    struct RoutedMessage {
        std::uint32_t source;
        std::uint32_t line;
        std::vector<std::uint16_t> tag;
    };
    PermutationRun run{std::vector<std::uint32_t>(wiring.lines(), 0)};
    std::vector<TagDraws> draws;
    std::vector<RoutedMessage> messages;
    for (std::uint32_t source = 0; source < wiring.lines(); ++source) {
        draws.emplace_back(how.seed, source, how.randomization);
        RoutedMessage message{source, source, std::vector<std::uint16_t>(wiring.columns())};
        std::uint32_t rest = destination[source];
        for (unsigned column = wiring.columns(); column-- > wiring.free_columns();
             rest /= wiring.switch_size())
            message.tag[column] = static_cast<std::uint16_t>(rest % wiring.switch_size());
        messages.push_back(message);
    }
    for (std::uint32_t attempt = 1; !messages.empty(); ++attempt) {
        std::vector<RoutedMessage> alive = messages;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            draws[messages[i].source].draw(wiring, std::span(messages[i].tag).first(wiring.free_columns()));
            alive[i].tag = messages[i].tag;
        }
        for (unsigned column = 0; column < wiring.columns(); ++column) {
            std::map<std::uint32_t, std::vector<RoutedMessage>> wanted;
            for (const RoutedMessage& message : alive)
                wanted[wiring.leaves(message.line, message.tag[column])].push_back(message);
            alive.clear();
            for (auto& [output, rivals] : wanted) {
                RoutedMessage winner =
                    *std::min_element(rivals.begin(), rivals.end(), [&](const auto& a, const auto& b) {
                        return request_weight(how.arbitration, how.seed, attempt, column, a.line) <
                               request_weight(how.arbitration, how.seed, attempt, column, b.line);
                    });
                winner.line = column + 1 < wiring.columns() ? wiring.enters_next(column, output) : output;
                alive.push_back(winner);
            }
        }
        for (const RoutedMessage& message : alive) {
            run.attempts[message.source] = attempt;
            std::erase_if(messages,
                          [&](const RoutedMessage& other) { return other.source == message.source; });
        }
    }
    return run;
}

} // namespace nocturne::test
