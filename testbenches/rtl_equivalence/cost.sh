#!/usr/bin/env bash
# What a schedule costs and saves beside a wormhole network, by message size: cells that Yosys makes of both, wires of their
# links, and the time of the collective, scheduled and without a schedule: cost.sh NOCTURNE SCHEDULE [BYTES...]
set -euo pipefail
folder=$(dirname "$(realpath "$0")")
nocturne=$(realpath "$1")
schedule=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- 64 256 1024 4096
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$folder/cells_of.sh"

# wires DESIGN: those of links and credits between routers and interfaces, each way counted once, and those of the step counter.
wires() {
    awk '$1 == "logic" && $2 ~ /^\[/ && $3 ~ /^(link|credit)_[0-9]+,$/ { split(substr($2, 2), range, ":"); sum += range[1] + 1 }
         $1 == "logic" && /step|cycle/ { bits = 1; if ($2 ~ /^\[/) { split(substr($2, 2), range, ":"); bits = range[1] + 1 }
             names = gsub(/,/, ",") + 1; sum += bits * names } END { print sum }' "$1"/*_network.sv
}
# time COMMAND...: of the collective, ns: the scheduled run, or the fastest one without a schedule.
scheduled_ns() { "$nocturne" replay "$schedule" "$@" --router-stages 0,1,0,0 --crossbar-stages 0,1,0,0 --buffer-flits 0 --json |
    python3 -c 'import json, sys; print(round(json.load(sys.stdin)["replays"][0]["time_ns"]))'; }
without_ns() { "$nocturne" compare "$schedule" "$@" --routing auto --json |
    python3 -c 'import json, sys; d = json.load(sys.stdin); least = min(d["message_bytes"])
print(round(min(r["time_ns"] for r in d["runs"] if r["message_bytes"] == least and not r["traffic"].startswith("schedule"))))'; }

topology=$(sed -n 's/.*"topology": *"\([^"]*\)".*/\1/p' "$schedule" | head -n 1)
"$nocturne" export "$topology" --rtl "$work/wormhole" --packets 1 >/dev/null
read -r full_cells _ < <(cells_of "$work/wormhole")
full_wires=$(wires "$work/wormhole")
echo "| message, bytes | scheduled: cells | wires | ns, t0 = 10 ns | ns, t0 = 1000 ns | wormhole: cells | wires | ns, t0 = 10 ns | ns, t0 = 1000 ns | cells times time, t0 = 10 ns |"
echo "| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
for bytes in "$@"; do
    rm -rf "$work/scheduled"
    "$nocturne" export "$schedule" --rtl "$work/scheduled" --bytes "$bytes" --router-stages 0,1,0,0 --crossbar-stages 0,1,0,0 >/dev/null
    read -r cells _ < <(cells_of "$work/scheduled")
    own=$(scheduled_ns --bytes "$bytes" --t0-ns 10)
    other=$(without_ns --bytes "$bytes,$((2 * bytes))" --t0-ns 10)
    echo "| $bytes | $cells | $(wires "$work/scheduled") | $own | $(scheduled_ns --bytes "$bytes" --t0-ns 1000) |" \
        "$full_cells | $full_wires | $other | $(without_ns --bytes "$bytes,$((2 * bytes))" --t0-ns 1000) |" \
        "$(awk "BEGIN { printf \"%.1f\", $full_cells * $other / ($cells * $own) }") |"
done
