# Each option of each command by an address: served_rows.py compares answers with the program's.
need curl python3
. "$OCELOTL_ROOT/tests/cli/serving.inc"

# A trace with all that options choose: states in two types, links of some bytes, a variable.
python3 >small.trace <<'END'
import paje, random
draw = random.Random(1)
print(paje.head("DefineContainerType DefineStateType DefineVariableType DefineLinkType",
                "CreateContainer SetState SetVariable StartLink+Size EndLink DestroyContainer"))
for number, (name, above) in enumerate((("SITE", "0"), ("CLUSTER", "SITE"), ("SWITCH", "CLUSTER"),
                                        ("MPI", "SWITCH"))):
    print(0, name, above, name)
print('1 S MPI MPI_STATE\n1 O MPI OTHER\n2 V MPI load\n3 L SITE MPI MPI MPI_LINK')
print('4 0 nancy SITE 0 nancy')
ranks = []
for cluster, switches in (("graphene", 2), ("griffon", 3)):
    print(f"4 0 {cluster} CLUSTER nancy {cluster}")
    for switch in range(1, switches + 1):
        print(f"4 0 {cluster}-sw{switch} SWITCH {cluster} {cluster}-sw{switch}")
        for _ in range(3):
            ranks.append(f"rank-{len(ranks)}")
            print(f"4 0 {ranks[-1]} MPI {cluster}-sw{switch} {ranks[-1]}")
STATES = ("PMPI_Wait", "PMPI_Send", "PMPI_Irecv", "compute")
lines, keys = [], 0
for at, rank in enumerate(ranks):
    time = 0.0
    for step in range(40):
        lines.append((time, f'5 {time:.6f} S {rank} {STATES[(step + at // 4) % 4]}'))
        lines.append((time, f'6 {time:.6f} V {rank} {draw.uniform(0, 9):.3f}'))
        if step % 7 == 0:
            lines.append((time, f'5 {time:.6f} O {rank} phase-{step // 14}'))
        if step % 4 == 1:
            keys += 1
            other = ranks[(at + step) % len(ranks)]
            end = time + draw.uniform(1e-4, 2e-3)
            lines.append((time, f'7 {time:.6f} L nancy PTP {rank} k{keys} {draw.randrange(9000)}'))
            lines.append((end, f'8 {end:.6f} L nancy PTP {other} k{keys}'))
        time += draw.uniform(1e-5, 4e-3)
lines.sort(key=lambda line: line[0])
print("\n".join(line for _, line in lines))
print("\n".join(f"9 0.2 MPI {rank}" for rank in ranks))
END
cli import small.trace -o small.db >/dev/null
begin_serving small.db
python3 "$OCELOTL_ROOT/tests/served_rows.py" "$address" "$PWD" || fail "options"
ended
