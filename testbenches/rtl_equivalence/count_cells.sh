#!/usr/bin/env bash
# Cells that Yosys makes of scheduled and of wormhole networks, as a table: count_cells.sh NOCTURNE SCHEDULE...
set -euo pipefail
nocturne=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count NAME: cells and flip-flops among them of the design in $work/NAME
count() {
    (
        cd "$work/$1"
        local top sources
        top=$(echo *_network.sv)
        sources=$(ls *.sv | grep -v -e bench -e nocturne_memory -e nocturne_source -e nocturne_checker | tr '\n' ' ')
        yosys -q -p "read_verilog -sv -defer $sources; synth -top ${top%.sv}; tee -q -o stat.txt stat" >yosys.txt 2>&1 ||
            { tail -n 3 yosys.txt >&2; exit 1; }
        # The totals come last.
        awk '/Number of cells:/ { cells = $4; flops = 0 } /DFF/ { flops += $2 } END { print cells, flops }' stat.txt
    )
}

echo "| network | collective | steps | scheduled: cells | flip-flops | wormhole: cells | flip-flops | cells saved |"
echo "| --- | --- | --: | --: | --: | --: | --: | --: |"
for schedule in "$@"; do
    topology=$(sed -n 's/.*"topology": *"\([^"]*\)".*/\1/p' "$schedule" | head -n 1)
    rm -rf "$work"/scheduled "$work"/wormhole
    said=$("$nocturne" export "$schedule" --rtl "$work/scheduled" --router-stages 0,1,0,0 --crossbar-stages 0,1,0,0)
    "$nocturne" export "$topology" --rtl "$work/wormhole" --packets 1 >/dev/null
    read -r cells flops < <(count scheduled)
    read -r full_cells full_flops < <(count wormhole)
    steps=$(sed -n 's/.*runs \([0-9]*\) steps.*/\1/p' <<<"$said")
    name=$(basename "$schedule" .json)
    echo "| $topology | $name | $steps | $cells | $flops | $full_cells | $full_flops |" \
        "$((100 - 100 * cells / full_cells)) % |"
done
