"""Prints a run of a parallel program in Paje: rerun.py SEED [FACTOR [SLOW]].

40 ranks on ten machines on two switches read, compute and exchange with their neighbours, reduce
every ten iterations, and write. Whatever they do takes a little longer or shorter by chance, as the
seed has it: 4 % of a computation, a machine 1 %, and now and then one rank is held up. FACTOR
multiplies all times; SLOW does so for the computations of one switch."""
import random
import sys

import paje

RANKS, MACHINE, SWITCH, ITERATIONS = 40, 4, 5, 40


def play(seed, slow):
    chance = random.Random(seed)
    lines = []
    now = [0.0] * RANKS
    machines = [chance.gauss(1, 0.01) for _ in range(RANKS // MACHINE)]

    def spend(rank, state, seconds):
        lines.append((now[rank], f"3 {{:.9f}} S r{rank} {state}"))
        now[rank] += seconds

    def meet(state, seconds, ranks=range(RANKS)):
        end = max(now[rank] for rank in ranks) + seconds
        for rank in ranks:
            spend(rank, state, end - now[rank])

    def compute(mean, spread):
        for rank in range(RANKS):
            held = mean / 2 if chance.random() < 0.001 else 0
            factor = machines[rank // MACHINE] * (slow if rank // MACHINE < SWITCH else 1)
            spend(rank, "Compute", mean * factor * max(0.2, chance.gauss(1, spread)) + held)

    for rank in range(RANKS):
        spend(rank, "Read", abs(chance.gauss(0.2, 0.01)))
    meet("Bcast", 0.02)
    for iteration in range(ITERATIONS):
        compute(0.03, 0.04)
        ends = list(now)
        for rank in range(RANKS):
            end = max(ends[max(0, rank - 1)], ends[min(RANKS - 1, rank + 1)], ends[rank])
            spend(rank, "Wait", end + abs(chance.gauss(0.003, 0.0005)) - now[rank])
        if iteration % 10 == 9:
            meet("Allreduce", abs(chance.gauss(0.02, 0.002)))
    for rank in range(RANKS):
        spend(rank, "Write", abs(chance.gauss(0.3, 0.02)))
    meet("Barrier", 0.001)
    return sorted(lines) + [(now[0], "4 {:.9f} P r%d" % rank) for rank in range(RANKS)]


def main():
    seed, factor, slow = ([float(word) for word in sys.argv[1:]] + [1, 1])[:3]
    lines = play(int(seed), slow)
    print(paje.head("DefineContainerType DefineStateType CreateContainer SetState",
                    "DestroyContainer"))
    print("0 W 0 Switch\n0 M W Machine\n0 P M Process\n1 S P State")
    for rank in range(RANKS):
        machine = rank // MACHINE
        switch = machine // SWITCH
        if rank % (MACHINE * SWITCH) == 0:
            print(f'2 0 w{switch} W 0 "switch-{switch}"')
        if rank % MACHINE == 0:
            print(f'2 0 m{machine} M w{switch} "machine-{machine}"')
        print(f'2 0 r{rank} P m{machine} "rank-{rank}"')
    for time, line in lines:
        print(line.format(time * factor))


if __name__ == "__main__":
    main()
