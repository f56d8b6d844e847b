#!/usr/bin/env python3
"""Draws what bench/ranks_smpi.sh printed: the efficiency of ranks, with what a formula expects.

bench/ranks_chart.py PICTURE.svg SLICES FILE... writes a picture of solves, and prints a table. The
efficiency is the share of the time in which the mean rank computes: what all compute together is
as much as one does, but for the noise of a busy host ("all" in the table). In brackets is the
efficiency if the slowest rank had computed as long as the mean one.
The formula is of a solve of N nodes on R ranks, where one takes t for a node, in the median:
    N t / R  +  log2 R (3 a + 8 I / b + 8 I g)  +  5 t
with the latency a, the bandwidth b and I = T (T + 1) / 2 intervals; adding takes g = 0.06 ns a
byte, and five heights of the tree have nodes that ranks share."""

import math
import re
import statistics
import sys

NETWORKS = {"fast": (1e-6, 12.5e9, "100 Gb/s, 1 us"), "slow": (20e-6, 1.25e9, "10 Gb/s, 20 us")}
LINE = re.compile(r"(\w+) (\d+) (\d+) (measures|p [\d.]+) +([\d.]+) s +([\d.]+) slowest"
                  r" +([\d.]+) mean +(\d+) bytes +(\d+) messages")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 660, 300, 44, 16, 210, 40
COLOURS = "#1b6ca8", "#d1495b", "#2e933c", "#e09f3e", "#6a4c93", "#777777"


def read(paths):
    """Of each phase and curve the runs, by ranks."""
    curves = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            found = [match.groups() for match in map(LINE.match, lines) if match]
        for network, ranks, leaves, phase, *numbers in found:
            kind = "weak" if len({row[2] for row in found}) > 1 else f"{leaves} leaves"
            run = (int(ranks), int(leaves), *map(float, numbers))
            curves.setdefault((phase, kind, network), []).append(run)
    return curves


def expected(ranks, leaves, one, slices, network):
    """Seconds of a solve by the formula, where one rank takes so much for a leaf."""
    latency, bandwidth, _ = NETWORKS[network]
    table = 4 * slices * (slices + 1)
    step = 3 * latency + table / bandwidth + table * 0.06e-9
    return leaves * one / ranks + math.log2(ranks) * step + 5 * one if ranks > 1 else leaves * one


def main():
    picture, slices, *paths = sys.argv[1:]
    curves = read(paths)
    parts = []
    ones = {phase: statistics.median(run[0] * run[4] / run[1] for (of, _, _), runs in
                                     curves.items() for run in runs if of == phase)
            for phase, _, _ in curves}
    most = math.log2(max(run[0] for runs in curves.values() for run in runs))
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(ranks, efficiency):
        return (f"{LEFT + width * math.log2(ranks) / most:.1f},"
                f"{TOP + height * (1 - min(efficiency, 1.1) / 1.1):.1f}")

    for tenth in (0, 0.25, 0.5, 0.75, 0.9, 1):
        x, y = place(1, tenth).split(",")
        parts.append(f'<path d="M{x},{y}h{width}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{float(y) + 4}" text-anchor="end">{tenth:g}</text>')
    for step in range(0, int(most) + 1):
        x, y = place(2**step, 0).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 16}" text-anchor="middle">{2**step}</text>')
    parts.append(f'<text x="{LEFT + width / 2}" y="{HEIGHT - 6}" text-anchor="middle">ranks</text>')
    drawn = 0
    print("| | ranks | ms | slowest | mean | all | efficiency | MB | messages | formula |")
    print("|" + " --- |" * 10)
    for (phase, kind, network), runs in sorted(curves.items()):
        one = ones[phase]
        name = f"{kind}, {phase}, {NETWORKS[network][2]}"
        points = [(run[0], run[4] / run[2]) for run in sorted(runs)]
        line = " ".join(place(*point) for point in points)
        if phase != "measures":
            colour = COLOURS[drawn % len(COLOURS)]
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
            parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'
                      for x, y in (place(*point).split(",") for point in points)]
            parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 14 + 18 * drawn}" '
                         f'fill="{colour}">{name}</text>')
            drawn += 1
        for run, point in zip(sorted(runs), points):
            formula = expected(run[0], run[1], one, int(slices), network) * 1e3
            print(f"| {name} | {run[0]} | {run[2] * 1e3:.2f} | {run[3] * 1e3:.2f} | "
                  f"{run[4] * 1e3:.2f} | {run[0] * run[4] * 1e3:.0f} | {point[1]:.2f} "
                  f"({point[1] * run[2] / (run[2] - run[3] + run[4]):.2f}) | {run[5] / 1e6:.1f} | "
                  f"{run[6]:.0f} | {f'{formula:.2f} ms' if phase != 'measures' else ''} |")
    with open(picture, "w", encoding="utf-8") as svg:
        svg.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                  f'font-family="sans-serif" font-size="10"><rect width="{WIDTH}" '
                  f'height="{HEIGHT}" fill="#fff"/>' + "\n".join(parts) + "</svg>\n")


if __name__ == "__main__":
    main()
