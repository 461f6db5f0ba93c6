#!/usr/bin/env bash
# Cells that Yosys makes of scheduled and of wormhole networks, as a table: count_cells.sh NOCTURNE SCHEDULE...
set -euo pipefail
folder=$(dirname "$(realpath "$0")")
nocturne=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$folder/cells_of.sh"

echo "| network | collective | steps | scheduled: cells | flip-flops | wormhole: cells | flip-flops | cells saved |"
echo "| --- | --- | --: | --: | --: | --: | --: | --: |"
for schedule in "$@"; do
    topology=$(sed -n 's/.*"topology": *"\([^"]*\)".*/\1/p' "$schedule" | head -n 1)
    rm -rf "$work"/scheduled "$work"/wormhole
    said=$("$nocturne" export "$schedule" --rtl "$work/scheduled" --router-stages 0,1,0,0 --crossbar-stages 0,1,0,0)
    "$nocturne" export "$topology" --rtl "$work/wormhole" --packets 1 >/dev/null
    read -r cells flops < <(cells_of "$work/scheduled")
    read -r full_cells full_flops < <(cells_of "$work/wormhole")
    steps=$(sed -n 's/.*runs \([0-9]*\) steps.*/\1/p' <<<"$said")
    name=$(basename "$schedule" .json)
    echo "| $topology | $name | $steps | $cells | $flops | $full_cells | $full_flops |" \
        "$((100 - 100 * cells / full_cells)) % |"
done
