"""Prints a run of few alike steps as a table: steps.py SEED RANKS STEPS NOISE [SLOW FROM TO].

All ranks compute and reduce in each step. Each computation takes longer or shorter by chance, NOISE
of it; that of one rank takes SLOW times as long in a share of the run."""
import random
import sys


def main():
    seed, ranks, steps, noise, slow, first, last = [
        float(word) for word in (sys.argv[1:] + ["1", "0", "1"])[:7]]
    chance = random.Random(seed)
    now = [0.0] * int(ranks)
    print("resource,category,type,value,begin,end,source,target")
    for step in range(int(steps)):
        ends = [begin + 3.2 / steps * chance.gauss(1, noise) for begin in now]
        if first <= step / steps < last:
            ends[5] += (ends[5] - now[5]) * (slow - 1)
        meet = max(ends) + 0.8 / steps * chance.gauss(1, noise)
        for rank, (begin, end) in enumerate(zip(now, ends)):
            path = f"switch-{rank // 8}/node-{rank // 4}/rank-{rank}"
            print(f"{path},state,state,compute,{begin:.9f},{end:.9f},,")
            print(f"{path},state,state,MPI_Allreduce,{end:.9f},{meet:.9f},,")
        now = [meet] * len(now)


if __name__ == "__main__":
    main()
