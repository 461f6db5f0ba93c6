./build/NULL/gem5.opt configs/example/garnet_synth_traffic.py \
    --network=garnet --topology=Mesh_XY --mesh-rows=4 --num-cpus=16 --num-dirs=16 \
    --synthetic=bit_complement --injectionrate=0.04 --inj-vnet=2 --sim-cycles=2000
