"""Networks from and to networkx, and from arrays of channels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from ._core import Topology

if TYPE_CHECKING:
    import networkx

_CHANNEL_FIELDS = ("latency_cycles", "width_bytes", "length")


def from_channels(channels: Any, *, name: str = "network", routers: Optional[int] = None,
                  processors: Optional[Sequence[int]] = None, ports: Union[int, str] = "all") -> Topology:
    """A network of an array of channels.

    `channels`: a structured array with the fields of Topology.channels (source and target must be there), or
    integers of shape (channels, 2): source and target router. `routers`: how many; None: up to the largest
    index. `processors`: the router of each; None: one at each router. `ports`: of a processor by default.
    """
    rows = np.asarray(channels)
    if rows.dtype.names is None:
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError(f"{name}: channels have shape (channels, 2), not {rows.shape}")
        rows = np.rec.fromarrays(rows.T, names="source,target")
    fields = [field for field in ("source", "target", *_CHANNEL_FIELDS) if field in rows.dtype.names]
    listed = [{field: row[field].item() for field in fields} for row in rows]
    for channel in listed:
        if channel.get("width_bytes") == 0:
            del channel["width_bytes"]
        if channel.get("length") == 0:
            del channel["length"]
    if routers is None:
        routers = 1 + max((max(channel["source"], channel["target"]) for channel in listed), default=-1)
    at = range(routers) if processors is None else [int(router) for router in processors]
    return _topology(name, [{"name": str(i)} for i in range(routers)],
                     [{"name": str(i), "injection": router, "ejection": router}
                      for i, router in enumerate(at)], listed, {"default_ports": str(ports)})


def from_networkx(graph: "networkx.Graph", *, name: Optional[str] = None,
                  ports: Union[int, str, None] = None) -> Topology:
    """A network of a graph: a router for each node, called as the node, with one processor.

    An edge of an undirected graph is a channel each way. Attributes of nodes: `processors` (how many) or
    `injects` and `ejects` (names of processors), `position` or `pos` (x, y), `copies` (a multicast switch).
    Attributes of edges: `latency_cycles`, `width_bytes`, `length`. What to_networkx() made comes back as it
    was.
    """
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    routers = []
    for node in nodes:
        attributes = graph.nodes[node]
        place = attributes.get("position", attributes.get("pos"))
        routers.append({"name": str(node),
                        **({} if place is None else {"x": float(place[0]), "y": float(place[1])}),
                        **({"copies": True} if attributes.get("copies") else {})})
    edges = list(graph.edges(data=True))
    if all("channel" in attributes for *_, attributes in edges):
        edges.sort(key=lambda edge: edge[2]["channel"])
    channels = []
    for source, target, attributes in edges:
        fields = {field: attributes[field] for field in _CHANNEL_FIELDS if attributes.get(field)}
        channels.append({"source": index[source], "target": index[target], **fields})
        if not graph.is_directed():
            channels.append({"source": index[target], "target": index[source], **fields})
    members = dict(graph.graph.get("nocturne", {}))
    if [members.pop("node_count", None), members.pop("edge_count", None)] != [len(nodes), len(edges)]:
        members = {key: members[key] for key in ("default_ports", "switches") if key in members}
    if ports is not None or "default_ports" not in members:
        members["default_ports"] = str("all" if ports is None else ports)
    return _topology(name or graph.graph.get("name") or "graph", routers, _processors(graph, index), channels,
                     members)


def to_networkx(topology: Topology) -> "networkx.MultiDiGraph":
    """A graph with a node for each router, called as the router, and an edge for each channel, with the
    attributes that from_networkx() takes."""
    import networkx

    document = json.loads(topology.to_json())
    routers = document.pop("routers")
    channels = document.pop("channels")
    processors = document.pop("processors")
    for member in ("format", "version", "name"):
        document.pop(member)
    graph = networkx.MultiDiGraph(name=topology.name, nocturne={
        **document, "node_count": len(routers), "edge_count": len(channels)},
        processors=[processor["name"] for processor in processors])
    names = topology.router_names
    for router, name in zip(routers, names):
        graph.add_node(name, injects=[], ejects=[],
                       **({"position": (router["x"], router["y"])} if "x" in router else {}),
                       **({"copies": True} if "copies" in router else {}))
    for processor in processors:
        graph.nodes[names[processor["injection"]]]["injects"].append(processor["name"])
        graph.nodes[names[processor["ejection"]]]["ejects"].append(processor["name"])
    for i, channel in enumerate(channels):
        graph.add_edge(names[channel["source"]], names[channel["target"]], channel=i,
                       **{field: channel[field] for field in _CHANNEL_FIELDS if field in channel})
    return graph


def _processors(graph: "networkx.Graph", index: Mapping[Any, int]) -> list[dict[str, Any]]:
    injection: dict[str, int] = {}
    ejection: dict[str, int] = {}
    for node, attributes in graph.nodes(data=True):
        count = attributes.get("processors", 1)
        usual = [str(node)] if count == 1 else [f"{node}.{i}" for i in range(count)]
        injection.update((name, index[node]) for name in attributes.get("injects", usual))
        ejection.update((name, index[node]) for name in attributes.get("ejects", usual))
    # In their order before; those whose router is gone are gone too.
    order: Iterable[str] = dict.fromkeys([*graph.graph.get("processors", []), *injection])
    return [{"name": name, "injection": injection[name], "ejection": ejection[name]}
            for name in order if name in injection and name in ejection]


def _topology(name: str, routers: list[dict[str, Any]], processors: list[dict[str, Any]],
              channels: list[dict[str, Any]], members: Mapping[str, Any]) -> Topology:
    document = {"format": "nocturne-topology", "version": 1, "name": name, "routers": routers,
                "processors": processors, "channels": channels, **members}
    return Topology.from_json(json.dumps(document, default=_number), name)


def _number(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} is no number")
