"""Networks from and to networkx, and from arrays of channels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from ._arrays import numpy
from ._core import Topology, _attribute_names, _graph_attributes, _topology_of_graph

if TYPE_CHECKING:
    import networkx  # type: ignore

_CHANNEL_FIELDS = ("latency_cycles", "width_bytes", "length", "buffer_flits", "vcs")
_ROUTER_FIELDS = ("x", "y", "copies", "pipeline", "buffer_flits", "pool", "vcs", "packets", "arbiter",
                  "clock", "injection", "ejection")


def from_channels(channels: Any, *, name: str = "network", routers: Optional[int] = None,
                  processors: Optional[Sequence[int]] = None, ports: Union[int, str] = "all") -> Topology:
    """A network of an array of channels.

    `channels`: a structured array with the fields of Topology.channels (source and target must be there;
    latency and width under either of their names), or integers of shape (channels, 2): source and target
    router. `routers`: how many; None: up to the largest index. `processors`: the router of each; None: one at
    each router. `ports`: of a processor by default.
    """
    np = numpy()
    rows = np.asarray(channels)
    if rows.dtype.names is None:
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError(f"{name}: channels have shape (channels, 2), not {rows.shape}")
        rows = np.rec.fromarrays(rows.T, names="source,target")
    known = {name: names[0] for names in _attribute_names["edge"] for name in names}
    for field in rows.dtype.names:
        if field not in ("source", "target") and known.get(field) not in _CHANNEL_FIELDS:
            raise ValueError(f"{name}: channels have no field '{field}'")
    fields = list(rows.dtype.names)
    listed = [{known.get(field, field): row[field].item() for field in fields} for row in rows]
    for channel in listed:
        for field in ("width_bytes", "length", "buffer_flits", "vcs"):  # 0: left open
            if channel.get(field) == 0:
                del channel[field]
    if routers is None:
        routers = 1 + max((max(channel["source"], channel["target"]) for channel in listed), default=-1)
    at = range(routers) if processors is None else [int(router) for router in processors]
    return _topology(name, [{"name": str(i)} for i in range(routers)],
                     [{"name": str(i), "injection": router, "ejection": router}
                      for i, router in enumerate(at)], listed, {"default_ports": str(ports)})


def from_networkx(graph: "networkx.Graph", *, name: Optional[str] = None,
                  ports: Union[int, str, None] = None) -> Topology:
    """A network of a graph: a router for each node, called as the node, with one processor.

    An edge of an undirected graph is a channel each way. Attributes are those of DOT and GraphML files
    (docs/files.md), under either of their names. Of nodes: `processors` (how many; where some node has a
    number above 0, those without one have none) or `injects` and `ejects` (names of processors), `position`
    or `pos` (x, y), `copies` (a multicast switch), and what a router has of its own (`pipeline`, `clock`,
    ...). Of edges: `latency_cycles`, `width_bytes`, `length`, `buffer_flits`, `vcs`. Other attributes are
    ignored with a warning. What to_networkx() made comes back as it was.
    """
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    # Where networkx leaves the defaults of a file.
    usual_node, usual_edge = (graph.graph.get(f"{kind}_default", {}) for kind in ("node", "edge"))
    attributes = {key: value for key, value in graph.graph.items() if not isinstance(value, dict)}
    if name is not None:
        attributes["name"] = name
    if ports is not None:
        for known in _attribute_names["graph"]:
            if "ports" in known:
                attributes = {key: value for key, value in attributes.items() if key not in known}
        attributes["ports"] = ports
    return _topology_of_graph(
        graph.is_directed(), _texts(attributes, "graph"),
        [(str(node), _texts({**usual_node, **graph.nodes[node]}, "node")) for node in nodes],
        [(index[source], index[target], _texts({**usual_edge, **edge}, "edge"))
         for source, target, edge in graph.edges(data=True)],
        str(attributes.get("name") or "graph"))


def to_networkx(topology: Topology) -> "networkx.MultiDiGraph":
    """A graph with a node for each router, called as the router, and an edge for each channel, with the
    attributes that from_networkx() takes: numbers, texts and truths, so that networkx can write it."""
    import networkx

    document = json.loads(topology.to_json())
    names = topology.router_names
    injects: list[list[str]] = [[] for _ in names]
    ejects: list[list[str]] = [[] for _ in names]
    for processor in document["processors"]:
        injects[processor["injection"]].append(processor["name"])
        ejects[processor["ejection"]].append(processor["name"])
    graph = networkx.MultiDiGraph(**_graph_attributes(topology))
    in_order = [name for router in injects for name in router]
    if in_order != topology.processor_names:
        graph.graph["processor_order"] = json.dumps(topology.processor_names)
    for router, name, injected, ejected in zip(document["routers"], names, injects, ejects):
        count = len(injected)
        usual = [name] if count == 1 else [f"{name}.{i}" for i in range(count)]
        has: dict[str, Any]
        has = ({"processors": count} if injected == ejected == usual else
               {"injects": json.dumps(injected), "ejects": json.dumps(ejected)})
        graph.add_node(name, **{field: router[field] for field in _ROUTER_FIELDS if field in router},
                       **has)
    for i, channel in enumerate(document["channels"]):
        graph.add_edge(names[channel["source"]], names[channel["target"]], channel=i,
                       **{field: channel[field] for field in _CHANNEL_FIELDS if field in channel})
    return graph


def _texts(attributes: Mapping[str, Any], kind: str) -> dict[str, str]:
    """Attributes of a graph, node or edge as texts. Values of attributes that are none of ours count for
    nothing."""
    known = {name for names in _attribute_names[kind] for name in names}
    own = {"id"} if kind == "edge" else set()  # of networkx, for an edge of a file
    return {str(name): _text(name, value) if name in known else ""
            for name, value in attributes.items() if value is not None and name not in own}


def _text(name: str, value: Any) -> str:
    if name in ("position", "pos") and not isinstance(value, str):
        return ",".join(repr(float(place)) for place in value[:2])
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return json.dumps([str(each) for each in value])
    if isinstance(value, str):
        return value
    raise TypeError(f"{name}: {value!r} is no number, text or list")


def _topology(name: str, routers: list[dict[str, Any]], processors: list[dict[str, Any]],
              channels: list[dict[str, Any]], members: Mapping[str, Any]) -> Topology:
    document = {"format": "nocturne-topology", "version": 1, "name": name, "routers": routers,
                "processors": processors, "channels": channels, **members}
    return Topology.from_json(json.dumps(document, default=_number), name)


def _number(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is no number")
