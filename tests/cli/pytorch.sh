# Two real ranks of PyTorch: names of rows, kernels as an independent reader has them, steps, and
# how busy GPUs are; what its profiler writes of itself is no row.
need python3 jq zstd
kineto=$OCELOTL_ROOT/../shared/traces/crowds/kineto

# counted DB FILE...: counts and times of each name, and of each GPU, as tests/kineto_reader.py has
# them.
counted() {
    local db=$1
    shift
    quiet "$@" -o "$db"
    python3 "$OCELOTL_ROOT/tests/kineto_reader.py" "$@" >want.json
    jq -r '.names[] | @json' want.json | sort >want.txt
    cli stats --json "$db" | jq -r '.types[] | select(.category == "state") | .values[] |
        [.name, .ended, (.ended_time * 1e6 | round)] | @json' | sort >got.txt
    diff want.txt got.txt >&2 || fail "$*: names"
    jq -c '.devices' want.json >want.txt
    cli explain --json "$db" | jq -c '[.devices[] | [.resource, (.busy * 1e6 | round),
        (.collective * 1e6 | round)]]' >got.txt
    diff want.txt got.txt >&2 || fail "$*: devices"
    same "$*: records" "$(jq -c .records want.json)" \
        "$(cli info --json "$db" | jq -c '.source.records | [.X, .["X: recording"]]')"
}

cp -r "$OCELOTL_ROOT/examples/pytorch" .
counted two.db pytorch/*.zst
ask two.db "SELECT path FROM resources WHERE id IN (SELECT DISTINCT r.id FROM resources r JOIN
    events e ON e.resource = r.path)" >got
diff - got >&2 <<'END2' || fail "rows"
rank 0/CPU/thread 4037 (python3.8)
rank 0/CPU/thread 23695 (python3.8)
rank 0/GPU 0/stream 7
rank 0/GPU 0/stream 23
rank 0/GPU 0/stream 25 (copies)
rank 0/GPU 0/stream 84 (NCCL)
rank 0/GPU 0/stream 203 (NCCL)
rank 1/CPU/thread 4045 (python3.8)
rank 1/CPU/thread 23704 (python3.8)
rank 1/GPU 1/stream 7
rank 1/GPU 1/stream 23
rank 1/GPU 1/stream 25 (copies)
rank 1/GPU 1/stream 84 (NCCL)
rank 1/GPU 1/stream 203 (NCCL)
END2
cli explain two.db >said.txt
has said.txt "GPU 0 of rank 0 busy 44 % (27 % with collectives alone), GPU 1 of rank 1 47 % (24 %)"
cli --json two.db >two.json
holds "kinds of kernels" two.json '[.parts[].shares | keys[]] | unique |
    contains(["collective", "compute", "copy"])'
holds "no kernel" two.json '[.parts[].shares | keys[] | select(startswith("void "))] == []'
same "steps" "2 steps ProfilerStep#; each takes 608 ms to 631 ms" "$(jq -r .chosen.steps two.json)"

same "the name is a note" "pyper:trainer:0:1" "$(cli sql --json two.db "SELECT notes FROM resources
    WHERE path = 'rank 1/CPU'" | jq -r '.[0].notes' | sed -n 's/process_name=//p')"

# Of many GPUs the one that others wait for is named; an annotation on a stream is nothing that
# runs; a stream that waits is not busy.
python3 - <<'END2'
import json
for rank in range(5):
    events = [{"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}}]
    work = 60 if rank == 3 else 20 + rank
    for name, category, begin, length in (
            ("step", "gpu_user_annotation", 0, 100), ("gemm", "kernel", 0, work),
            ("ncclDevKernel_AllReduce", "kernel", work, 90 - work),
            ("Stream Wait Event", "cuda_sync", 90, 10)):
        events.append({"ph": "X", "name": name, "cat": category, "pid": 0, "tid": 7, "ts": begin,
                       "dur": length})
    json.dump({"distributedInfo": {"rank": rank}, "traceEvents": events},
              open(f"rank{rank}.json", "w"))
END2
quiet rank?.json -o five.db
cli explain five.db >said.txt
has said.txt "of 5 GPUs GPU 0 of rank 3 works most, busy 90 % (30 % with collectives alone)" \
    "GPU 0 of rank 0 least, busy 90 % (70 %)"
same "annotations" "Annotation 5,Slice 15" "$(ask five.db "SELECT type || ' ' || count(*) FROM
    events GROUP BY type" | paste -sd,)"
same "stream" "stream 7" \
    "$(ask five.db "SELECT DISTINCT name FROM resources WHERE type = 'Thread'")"

# A launch that comes late lets its stream idle, but makes nobody wait.
if [ -d "$kineto" ]; then
    for name in diff-control diff-test; do
        counted $name.db "$kineto/$name.json.gz"
    done
    counted whole.db "$kineto"/sampled_rank-?.json.gz
    cli explain diff-control.db >said.txt
    has said.txt "GPU 3 busy 84 % (19 % with collectives alone); of 3.26 s they wait 5 us for"
fi
