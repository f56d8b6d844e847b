#!/usr/bin/env bash
# Simulates ranks on a described machine, by SimGrid's SMPI (Debian: libsimgrid-dev): all are
# threads of one process and share one model; what they compute is measured, and their network is
# simulated. For each number of ranks it prints what bench/ranks.c does.
# bench/ranks_smpi.sh BUILD FOLDER NETWORK LEAVES SLICES "RANKS..." [P...]: BUILD has the library,
# FOLDER gets the program and the machine, NETWORK is fast (100 Gb/s, 1 us) or slow (10 Gb/s,
# 20 us). LEAVES that begin with x are of each rank.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd) build=$(cd "$1" && pwd)
folder=$2 network=$3 leaves=$4 slices=$5 counts=$6
shift 6
case $network in
    fast) bandwidth=12.5GBps latency=0.25us ;; # two links from a node to its switch and on
    slow) bandwidth=1.25GBps latency=5us ;;
    *) echo "the network is $network, expected fast or slow" >&2 && exit 2 ;;
esac
mkdir -p "$folder"
cd "$folder"

# A fat tree of two levels: 32 nodes a switch, and as many ways up as nodes.
cat >"$network.xml" <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="machine" prefix="node" suffix="" radical="0-1023" speed="1Gf" bw="$bandwidth"
    lat="$latency" topology="FAT_TREE" topo_parameters="2;32,32;1,32;1,1"
    sharing_policy="SPLITDUPLEX"/>
</platform>
END
mapfile -t needed < <(objdump -p "$build/libocelotl.so" | awk '$1 == "NEEDED" { print "-l:" $2 }')
smpicc -DBENCH_ONE_PROCESS -DSMPI_NO_OVERRIDE_MALLOC -O2 -std=c11 -I"$source" \
    -I"$source/include" -I"$source/engine" "$source"/bench/{ranks,models,measure}.c \
    "$source/mpi/exchange.c" "$build/libocelotl_inside.a" "${needed[@]}" -o ranks

# Memory that a rank gives back is not kept for its thread.
export OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=4194304
for count in $counts; do
    all=$leaves
    [[ $leaves != x* ]] || all=$((${leaves#x} * count))
    smpirun -np "$count" -platform "$network.xml" --cfg=smpi/privatization:no \
        --cfg=contexts/factory:thread --cfg=smpi/simulate-computation:no \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/cpu-threshold:0 --log=root.thresh:warning \
        ./ranks "$all" "$slices" "$@" 2>/dev/null | sed "s/^/$network $count $all /"
done
