#include "models/topology/dot_format.hpp"

#include "models/topology/drawing_layout.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graph_document.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

namespace nocturne {

namespace {

using namespace graph_document;

/// Each of them a line of a string, with what has a meaning in it escaped.
std::string quote_lines(std::initializer_list<std::string_view> lines)
{
    std::string quoted = "\"";
    for (const std::string_view text : lines) {
        if (text.empty())
            continue;
        if (quoted.size() > 1)
            quoted += "\\n";
        for (const char c : text) {
            if (c == '"' || c == '\\')
                quoted += '\\';
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string quote(std::string_view text)
{
    return quote_lines({text});
}

/// For labels in Graphviz's HTML.
std::string html(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    return escaped;
}

std::string place(Position at)
{
    return fmt::format("{:.9g},{:.9g}", points_per_pitch * at.x, -points_per_pitch * at.y);
}

std::string line(const BezierCurve& curve)
{
    return fmt::format("{} {} {} {}", place(curve[0]), place(curve[1]), place(curve[2]), place(curve[3]));
}

/// The largest font, up to 10 points_per_pitch, in which `text` fits on a router.
double font_size(std::string_view text)
{
    return std::min(10.0, 1.8 * router_radius * points_per_pitch /
                              (0.58 * static_cast<double>(std::max<std::size_t>(text.size(), 1))));
}

/// The writer of one DOT file.
class Writer {
public:
    Writer(const Topology& topology, const DrawingMarks& marks) : topology_(topology), marks_(marks)
    {
        const auto fits = [](std::size_t marks_given, std::size_t parts) {
            return marks_given == 0 || marks_given == parts;
        };
        if (!fits(marks.routers.size(), topology.router_count()) ||
            !fits(marks.channels.size(), topology.channel_count()))
            throw std::invalid_argument(
                fmt::format("{}: a drawing with marks for {} routers and {} channels, there are {} and {}",
                            topology.name(), marks.routers.size(), marks.channels.size(),
                            topology.router_count(), topology.channel_count()));
        const auto differs = [&](unsigned Channel::* property) {
            return std::ranges::any_of(topology.channels(), [&](const Channel& channel) {
                return channel.*property != topology.channel(0).*property;
            });
        };
        latencies_differ_ = differs(&Channel::latency_cycles);
        widths_differ_ = differs(&Channel::width_bytes);
        if (topology.router_count() <= largest_drawing_routers)
            layout_ = lay_out(topology);
        if (layout_)
            channel_curves_ = draw_channels(topology, layout_->routers);
    }

    std::string write()
    {
        header();
        for (RouterId r = 0; r < topology_.router_count(); ++r)
            router(r);
        if (!inside_routers())
            for (ProcessorId p = 0; p < topology_.processor_count(); ++p)
                processor(p);
        for (ChannelId id = 0; id < topology_.channel_count(); id += starts_link(topology_, id) ? 2 : 1)
            channel(id);
        return text_ + "}\n";
    }

private:
    /// Each router has one processor of its name, whose place is unknown.
    bool inside_routers() const
    {
        if (layout_ || topology_.processor_count() != topology_.router_count())
            return false;
        for (RouterId r = 0; r < topology_.router_count(); ++r)
            if (topology_.processor(r) != Processor{r, r, topology_.router_name(r)})
                return false;
        return true;
    }

    void header()
    {
        text_ = fmt::format("digraph {0} {{\n"
                            "    graph [name={0}, ports={1}, switches={2}{3}, overlap=false, splines=true, "
                            "outputorder=edgesfirst]\n"
                            "    node [fontname=Helvetica, fixedsize=true, penwidth=0.8]\n"
                            "    edge [arrowsize=0.5, penwidth=0.8, color=gray30]\n",
                            quote(topology_.name()), quote(to_string(topology_.default_ports())),
                            to_string(topology_.switches()), structure());
        if (!marks_.title.empty() || !marks_.legend.empty())
            legend();
    }

    /// Grid and tag digits, if there are any.
    std::string structure() const
    {
        std::string text;
        for (const auto& [name, value] : structure_of(topology_))
            text += fmt::format(", {}={}", name, quote(value));
        return text;
    }

    /// Below the network: the title, and a patch of each colour with its text.
    void legend()
    {
        text_ +=
            fmt::format("    graph [fontname=Helvetica, fontsize=11, labelloc=b, label=<<table border=\"0\" "
                        "cellspacing=\"6\"><tr><td><b>{}</b></td></tr>",
                        html(marks_.title));
        if (!marks_.legend.empty())
            text_ += "<tr><td><table border=\"0\" cellspacing=\"6\"><tr>";
        for (const LegendEntry& entry : marks_.legend)
            text_ += fmt::format("<td width=\"24\" bgcolor=\"{}\"></td><td align=\"left\">{}</td>",
                                 html(entry.colour), html(entry.text));
        text_ += marks_.legend.empty() ? "</table>>]\n" : "</tr></table></td></tr></table>>]\n";
    }

    std::string own_properties(RouterId r) const
    {
        std::string text;
        for (const auto& [name, value] : properties_of(topology_.part(r)))
            text += fmt::format(", {}={}", name, quote(value));
        return text;
    }

    void router(RouterId r)
    {
        const std::string& name = topology_.router_name(r);
        const DrawingMark mark = marks_.routers.empty() ? DrawingMark{} : marks_.routers[r];
        text_ += fmt::format("    r{} [kind=router, name={}, label={}, shape=circle, width={}, style=filled, "
                             "fillcolor={}, fontsize={:.3g}{}{}{}{}{}]\n",
                             r, quote(name), quote_lines({name, mark.label}), 2 * router_radius,
                             quote(mark.colour.empty() ? "#eef3fa" : mark.colour), font_size(name),
                             mark.label.empty() ? "" : ", fontname=\"Helvetica-Bold\"",
                             inside_routers() ? ", processors=1, peripheries=2" : "",
                             topology_.copies(r) ? ", copies=true" : "", own_properties(r),
                             position(layout_ ? &layout_->routers : nullptr, r));
    }

    void terminal(std::string_view id, std::string_view kind, ProcessorId p,
                  const std::vector<Position>* places)
    {
        const Processor& processor = topology_.processor(p);
        // The square of a router's only processor sits right beside the router's own label.
        const bool labelled = !is_routers_own(topology_, p);
        text_ += fmt::format(
            "    {} [kind={}, name={}, label={}, shape=square, width={}, style=filled, fillcolor=\"{}\", "
            "fontsize={:.3g}{}]\n",
            id, kind, quote(processor.name), labelled ? quote(processor.name) : "\"\"",
            labelled ? processor_side : unlabelled_side, kind == "sink" ? "#fbe3cf" : "#d9ecd0",
            std::min(8.0, 0.8 * font_size(processor.name)), position(places, p));
    }

    void processor(ProcessorId p)
    {
        const Processor& processor = topology_.processor(p);
        const std::string source = fmt::format("p{}", p);
        const auto* sources = layout_ ? &layout_->sources : nullptr;
        const auto* sinks = layout_ ? &layout_->sinks : nullptr;
        // One column of switches has sources and sinks too, though at the same routers.
        if (processor.injection == processor.ejection && topology_.tag_digits().empty()) {
            terminal(source, "processor", p, sources);
            edge(source, fmt::format("r{}", processor.injection), "dir=none",
                 wire(sources, p, processor.injection), Head::none);
            return;
        }
        const std::string sink = source + "_out";
        terminal(source, "source", p, sources);
        terminal(sink, "sink", p, sinks);
        edge(source, fmt::format("r{}", processor.injection), "", wire(sources, p, processor.injection),
             Head::arrow);
        std::optional<BezierCurve> out = wire(sinks, p, processor.ejection);
        if (out)
            std::reverse(out->begin(), out->end());
        edge(fmt::format("r{}", processor.ejection), sink, "", out, Head::arrow);
    }

    void channel(ChannelId id)
    {
        const Channel& channel = topology_.channel(id);
        const bool link = starts_link(topology_, id);
        std::vector<std::string> attributes;
        if (link)
            attributes.emplace_back("dir=none");
        if (channel.latency_cycles != 1)
            attributes.push_back(fmt::format("latency={}", channel.latency_cycles));
        if (channel.width_bytes != 0)
            attributes.push_back(fmt::format("width={}", channel.width_bytes));
        if (channel.length != 0)
            attributes.push_back(fmt::format("length=\"{}\"", channel.length));
        if (channel.buffer_flits != 0)
            attributes.push_back(fmt::format("buffers={}", channel.buffer_flits));
        if (channel.vcs != 0)
            attributes.push_back(fmt::format("vcs={}", channel.vcs));
        if (!marks_.channels.empty())
            mark_channel(id, link, attributes);
        if (marks_.channels.empty() || marks_.channels[id].label.empty())
            label_channel(id, difference(channel), attributes);
        edge(fmt::format("r{}", channel.source), fmt::format("r{}", channel.target),
             fmt::format("{}", fmt::join(attributes, ", ")),
             layout_ ? std::optional(channel_curves_[id]) : std::nullopt, link ? Head::none : Head::arrow);
    }

    void mark_channel(ChannelId id, bool link, std::vector<std::string>& attributes) const
    {
        const DrawingMark& there = marks_.channels[id];
        const DrawingMark& back = marks_.channels[link ? id + 1 : id];
        if (there.colour.empty() && back.colour.empty())
            return;
        const auto colour = [](const DrawingMark& mark) {
            return mark.colour.empty() ? std::string("gray30") : mark.colour;
        };
        attributes.push_back(fmt::format("penwidth=3, color={}",
                                         quote(there.colour == back.colour
                                                   ? colour(there)
                                                   : fmt::format("{};0.5:{}", colour(there), colour(back)))));
        label_channel(id, there.label, attributes);
    }

    /// Latency and width of a channel, each where not all channels have the same.
    std::string difference(const Channel& channel) const
    {
        std::string text;
        if (latencies_differ_)
            text = fmt::format("{} cycle{}", channel.latency_cycles, channel.latency_cycles == 1 ? "" : "s");
        if (widths_differ_ && channel.width_bytes != 0)
            text += fmt::format("{}{} B", text.empty() ? "" : ", ", channel.width_bytes);
        return text;
    }

    void label_channel(ChannelId id, std::string_view label, std::vector<std::string>& attributes) const
    {
        if (label.empty())
            return;
        attributes.push_back(fmt::format("fontname=Helvetica, fontsize=8, label={}", quote(label)));
        if (layout_) {
            const BezierCurve& curve = channel_curves_[id];
            const Position middle{(curve[0].x + curve[3].x) / 8 + (curve[1].x + curve[2].x) * 3 / 8,
                                  (curve[0].y + curve[3].y) / 8 + (curve[1].y + curve[2].y) * 3 / 8};
            const double x = curve[3].x - curve[0].x, y = curve[3].y - curve[0].y;
            const double aside = 0.11 / std::max(std::hypot(x, y), 1e-9);
            attributes.push_back(
                fmt::format("lp=\"{}\"", place({middle.x + aside * y, middle.y - aside * x})));
        }
    }

    enum class Head { none, arrow };

    void edge(std::string_view from, std::string_view to, std::string attributes,
              std::optional<BezierCurve> curve, Head head)
    {
        if (curve) {
            std::string tip;
            if (head ==
                Head::arrow) { // Graphviz draws the tip from the end of the curve to a place of its own
                const Position end = (*curve)[3];
                const double x = end.x - (*curve)[2].x, y = end.y - (*curve)[2].y;
                const double back = 0.07 / std::max(std::hypot(x, y), 1e-9);
                (*curve)[3] = {end.x - back * x, end.y - back * y};
                tip = fmt::format("e,{} ", place(end));
            }
            attributes += fmt::format("{}pos=\"{}{}\"", attributes.empty() ? "" : ", ", tip, line(*curve));
        }
        text_ += fmt::format("    {} -> {}{}\n", from, to,
                             attributes.empty() ? "" : fmt::format(" [{}]", attributes));
    }

    static std::string position(const std::vector<Position>* places, std::size_t i)
    {
        return places != nullptr ? fmt::format(", pos=\"{}!\"", place((*places)[i])) : "";
    }

    std::optional<BezierCurve> wire(const std::vector<Position>* places, ProcessorId p, RouterId r) const
    {
        if (places == nullptr)
            return std::nullopt;
        return straight_line((*places)[p], layout_->routers[r],
                             (is_routers_own(topology_, p) ? unlabelled_side : processor_side) / 2,
                             router_radius);
    }

    const Topology& topology_;
    const DrawingMarks& marks_;
    std::optional<DrawingLayout> layout_;
    std::vector<BezierCurve> channel_curves_;
    bool latencies_differ_ = false;
    bool widths_differ_ = false;
    std::string text_;
};

} // namespace

std::string to_dot(const Topology& topology, const DrawingMarks& marks)
{
    return Writer(topology, marks).write();
}

} // namespace nocturne
