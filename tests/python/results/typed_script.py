"""What mypy is to take, and with `# wrong` what it is not to take. It is not run."""

import nocturne

network: nocturne.Topology = nocturne.Topology("mesh:3x3")
problem = nocturne.Problem(network, "AAS", ports=1)
found: nocturne.Result = nocturne.schedule(problem, budget=10, seed=2)
nocturne.replay(found, bytes=[64, 1024], mode="self-timed", flit_bytes=8)
nocturne.recover(found, fault=["link:00-01"], at_step=2)
nocturne.traffic("mesh:4x4", load=0.1, pattern="uniform", saturation=False)
nocturne.plot(found, x="load").save("plot.svg")
steps: int = found.steps
hops_of: list[int] = list(nocturne.load_packets("log.bin").packets["hops"])
hops: float = network.hop_distances().mean()
violations: list[nocturne.Violation] = nocturne.Schedule.load("a.json").violations(problem)

nocturne.replay(found, flit_bytes="wide")  # wrong: a text for a number
nocturne.replay(found, speed=3)  # wrong: no such argument
nocturne.traffic(load=0.1)  # wrong: without a network
network.channels = None  # wrong: values are immutable
nocturne.Problem(8, "AAS")  # wrong: a number is no network
