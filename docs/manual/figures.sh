#!/usr/bin/env bash
# Draws the pictures of docs/concepts.md: figures.sh NOCTURNE FOLDER. The same programs draw the same bytes.
set -euo pipefail
nocturne=$(realpath "$1")
mkdir -p "$2"
cd "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A schedule of two steps on its channels, and its time over message sizes beside the model.
"$nocturne" schedule ring:4 --collective all-to-all -o "$work/ring.json" >/dev/null
"$nocturne" replay "$work/ring.json" --bytes 1KiB --svg step.svg >/dev/null
"$nocturne" compare "$work/ring.json" --bytes 64:64KiB:x4 -o "$work/compared" >/dev/null
cp "$work/compared/latency.svg" time.svg

graph() { # graph NAME ENGINE: a text of DOT as NAME.svg
    "$2" -Tsvg -Gbgcolor=white -Gfontname=Helvetica -Nfontname=Helvetica -Efontname=Helvetica -Nfontsize=12 \
        -Efontsize=12 >"$1.svg"
}

graph blocking dot <<'DOT'
digraph {
    rankdir=LR; node [shape=box, style=filled, fillcolor="#e8eef4"]; edge [penwidth=4];
    P0 [label="sender of\nmessage A"]; P1 [label="sender of\nmessage B"];
    P2 [label="receiver of A"]; P3 [label="receiver of B"];
    R0; R1; R2; R3; R4;
    P0 -> R0 -> R1 -> R2 -> P2 [color="#0072b2"];
    P1 -> R3 [color="#d55e00"]; R3 -> R1 [color="#d55e00", label="tail of B\nwaits here"];
    R1 -> R2 [color="#d55e00", style=dashed, label="head of B\nwaits for this\nchannel"];
    R2 -> R4 [color="#cccccc"]; R4 -> P3 [color="#cccccc"];
    {rank=same; P0; P1} {rank=same; P2; P3}
}
DOT

graph chunk dot <<'DOT'
digraph {
    rankdir=LR; node [shape=record, style=filled, fillcolor="#e8eef4"];
    subgraph cluster_before { label="each has a vector in four chunks"; color="#999999";
        b0 [label="P0|a0|a1|a2|a3"]; b1 [label="P1|b0|b1|b2|b3"];
        b2 [label="P2|c0|c1|c2|c3"]; b3 [label="P3|d0|d1|d2|d3"]; }
    subgraph cluster_middle { label="behind reduce-scatter:\neach has one sum"; color="#999999";
        m0 [label="P0|a0+b0+c0+d0| | | "]; m1 [label="P1| |a1+b1+c1+d1| | "];
        m2 [label="P2| | |a2+b2+c2+d2| "]; m3 [label="P3| | | |a3+b3+c3+d3"]; }
    subgraph cluster_after { label="behind all-gather:\nall have all sums"; color="#999999";
        a0 [label="P0|s0|s1|s2|s3"]; a1 [label="P1|s0|s1|s2|s3"];
        a2 [label="P2|s0|s1|s2|s3"]; a3 [label="P3|s0|s1|s2|s3"]; }
    b1 -> m1 [color="#0072b2", penwidth=2, label="add"]; m1 -> a1 [color="#d55e00", penwidth=2, label="copy"];
    b0 -> m0 -> a0 [style=invis]; b2 -> m2 -> a2 [style=invis]; b3 -> m3 -> a3 [style=invis];
}
DOT

graph bound neato <<'DOT'
graph {
    node [shape=circle, style=filled, fixedsize=true, width=0.45]; edge [penwidth=3, color="#777777"];
    node [fillcolor="#56b4e9"]; 0 [pos="0,0!"]; 1 [pos="1,0.6!"]; 2 [pos="2,0.6!"];
    node [fillcolor="#e69f00"]; 3 [pos="3,0!"]; 4 [pos="2,-0.6!"]; 5 [pos="1,-0.6!"];
    0 -- 1 -- 2; 3 -- 4 -- 5;
    2 -- 3 [color="#d55e00", penwidth=5]; 5 -- 0 [color="#d55e00", penwidth=5];
    text [shape=plaintext, fillcolor="white", fixedsize=false, pos="1.5,-1.35!",
        label="3 x 3 messages leave the blue half,\nover 2 links of one message a step:\nat least 5 steps"];
}
DOT
