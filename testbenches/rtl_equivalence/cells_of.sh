# Read by the scripts beside it. cells_of DESIGN: cells that Yosys makes of an exported design, and flip-flops among them; without
# memories, sources and benches.
cells_of() {
    (
        cd "$1"
        local top sources
        top=$(echo *_network.sv)
        sources=$(ls *.sv | grep -v -e bench -e nocturne_memory -e nocturne_source -e nocturne_checker | tr '\n' ' ')
        yosys -q -p "read_verilog -sv -defer $sources; synth -top ${top%.sv}; tee -q -o stat.txt stat" >yosys.txt 2>&1 ||
            { tail -n 3 yosys.txt >&2; exit 1; }
        # The totals come last.
        awk '/Number of cells:/ { cells = $4; flops = 0 } /DFF/ { flops += $2 } END { print cells, flops }' stat.txt
    )
}
