/** The data of the page: JSON, and in it long lists of numbers that are packed. */

const arrayTypes = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };

/** The numbers of sim/page/packed.hpp. */
async function unpacked(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new arrayTypes[packed.type](await new Response(stream).arrayBuffer());
}

/** The same object with each packed list in it unpacked. */
async function unpackedMembers(object) {
  const result = {};
  for (const [name, value] of Object.entries(object))
    result[name] =
      value && typeof value === "object" && "data" in value && "type" in value
        ? await unpacked(value)
        : value;
  return result;
}

/**
 * A network: names, and ends and curves of its channels. A node is a router, or a processor behind all
 * routers.
 */
class PageNetwork {
  static async of(json) {
    const network = Object.assign(new PageNetwork(), await unpackedMembers(json));
    network.places = await unpackedMembers(json.places);
    network.routerCount = network.routers.length;
    network.nodeCount = network.routerCount + network.processors.length;
    network.channelCount = network.from.length;
    network.outgoing = network.routers.map(() => []);
    network.from.forEach((router, channel) => network.outgoing[router].push(channel));
    return network;
  }

  isProcessor(node) {
    return node >= this.routerCount;
  }

  /** The name as it stands in files. */
  nameOf(node) {
    return this.isProcessor(node) ? this.processors[node - this.routerCount] : this.routers[node];
  }

  /** `processor 5`. */
  titleOf(node) {
    return `${this.isProcessor(node) ? "processor" : "router"} ${this.nameOf(node)}`;
  }

  /** Where a link into the network begins, or where one that leaves it ends. */
  placeOf(node, isSink = false) {
    const [list, i] = this.isProcessor(node)
      ? [isSink ? this.places.sinks : this.places.sources, node - this.routerCount]
      : [this.places.routers, node];
    return [list[2 * i], list[2 * i + 1]];
  }
}
