#!/bin/bash
# A sweep on four machines of a Slurm cluster: sbatch examples/cluster/slurm.sh
# A rank on each machine, which runs as many points at a time as it has cores. When a machine is lost the others
# run its points; when the time is over the same call goes on with what is left.
#SBATCH --job-name=nocturne-sweep
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
set -euo pipefail

sweep=${1:-examples/sweeps/latency.ini}
results=${2:-$(basename "${sweep%.*}")}

# --bind-to none: a rank has all cores of its machine. exec: the signal of --signal reaches mpirun.
exec mpirun --enable-recovery --map-by ppr:1:node --bind-to none \
    nocturne sweep "$sweep" --output "$results.db" --csv "$results.csv" --workers "${SLURM_CPUS_PER_TASK:-0}"
