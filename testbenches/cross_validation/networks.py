"""Networks as BookSim2 has them: files with ports in its order, and the wires of its dragonfly."""

GROUP = 8  # processors of a group of the dragonfly
ROUTERS, GLOBALS = 4, 2  # of a group, and channels to other groups of each of them
LOCAL_LATENCY, GLOBAL_LATENCY = 10, 100  # cycles of its channels, which BookSim2's source says


def fly(k, n):
    """The k-ary n-fly of Dally & Towles, Principles and Practices, ch. 4, as a topology file."""
    switches = k ** (n - 1)
    channels = []
    for stage in range(n - 1):
        weight = k ** (n - stage - 2)
        for switch in range(switches):
            for output in range(k):
                target = switch + (output - switch // weight % k) * weight
                channels.append({"source": stage * switches + switch,
                                 "target": (stage + 1) * switches + target})
    return {
        "format": "nocturne-topology",
        "version": 1,
        "name": f"fly:{k},{n}",
        "default_ports": "1",
        "routers": [{"name": f"c{stage}s{switch}"} for stage in range(n) for switch in range(switches)],
        "processors": [{"name": str(i), "injection": i // k, "ejection": (n - 1) * switches + i // k}
                       for i in range(k ** n)],
        "channels": channels,
        "tag_digits": [{"radix": k, "divisor": k ** (n - 1 - i), "free": False} for i in range(n)],
    }


def mesh(k):
    """A mesh of k x k as a topology file, with the ports of its routers in BookSim2's order: right, left,
    down and up, at the inputs what comes from there. Arbiters go in turn by the numbers of ports."""
    channels = []
    for stride in (1, k):
        for router in reversed(range(k * k)):
            for step in (stride, -stride):
                if 0 <= router // stride % k + step // stride < k:
                    channels.append({"source": router, "target": router + step})
    return {
        "format": "nocturne-topology",
        "version": 1,
        "name": f"mesh:{k}x{k}",
        "default_ports": "1",
        "grid": {"extent": [k, k], "wraps": False},
        "routers": [{"name": f"{i // k}{i % k}"} for i in range(k * k)],
        "processors": [{"name": f"{i // k}{i % k}", "injection": i, "ejection": i} for i in range(k * k)],
        "channels": channels,
    }


def dragonfly_wire_cycles(pattern):
    """Cycles beyond one for each channel of minimal ways in the dragonfly: the mean over its traffic."""
    groups, total, ways = ROUTERS * GLOBALS + 1, 0, 0
    for here in range(groups):
        for there in range(groups) if pattern == "uniform" else [(here + 1) % groups]:
            way_out = (there - (there > here)) // GLOBALS  # the router with the channel there
            way_in = (here - (here > there)) // GLOBALS
            for router in range(ROUTERS):
                for target in range(ROUTERS):
                    local = (router != target if here == there else
                             (router != way_out) + (target != way_in))
                    total += (LOCAL_LATENCY - 1) * local + (GLOBAL_LATENCY - 1) * (here != there)
                    ways += 1
    return total / ways
