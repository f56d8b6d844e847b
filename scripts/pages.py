#!/usr/bin/env python3
"""Writes the tables of the documentation that the program knows best, between their marks.

    scripts/pages.py [--check] PROGRAM      (--check: only says which page differs)
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[-1]
SAMPLE = ROOT / "examples" / "smpi-stencil-96.trace.zst"


def ask(*words):
    return subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL, text=True).stdout


def commands():
    """Lists commands with what they do."""
    listed = ask("--help").split("Commands:\n")[1].split("\n\n")[0]
    return [line.split(None, 1) for line in listed.splitlines()]


def formats_table():
    yield "| format | what is read |\n| --- | --- |"
    for row in json.loads(ask("formats", "--json"))["formats"]:
        page = ROOT / "docs" / "formats" / f"{row['name']}.md"
        name = f"[{row['name']}]({page.name})" if page.exists() else row["name"]
        yield f"| {name} | {row['description'].replace('|', chr(92) + '|')} |"


def commands_table():
    yield "| command | what it does | it writes |\n| --- | --- | --- |"
    for name, what in [("", "draw the overview of a trace"), *commands()]:
        told = re.search(r"^  -o.*?(?=^  -|^$)", ask(name or "overview", "--help", "all"),
                         re.M | re.S)
        suffixes = re.findall(r"\.[a-z]{2,5}\b", told.group()) if told else []
        yield f"| `{f'ocelotl-cli {name}'.strip()}` | {what} | " \
            f"{' '.join(f'`{one}`' for one in dict.fromkeys(suffixes))} |"


def columns_table():
    yield "| command | columns of `--csv` |\n| --- | --- |"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "run.db"
        ask("import", SAMPLE, "-o", trace)
        for name, _ in commands():
            traces = [trace, trace] if name in ("check", "compare") else [trace]
            if name == "heap":  # of a trace that has calls of malloc
                traces = [pathlib.Path(folder) / "heap.json"]
                traces[0].write_text('[{"ph":"X","name":"malloc","pid":1,"ts":0,"dur":1,'
                                     '"args":{"size":1,"ptr":1}}]', "utf-8")
            if "--csv" not in ask(name, "--help", "all") or name in ("sql", "list", "cache"):
                continue
            few = {"hierarchies": ["--slices", "4"], "correct": ["--cost", "0"]}.get(name, [])
            head = ask(name, "--csv", *few, *([] if name == "formats" else traces)).split("\n")[0]
            yield f"| `{name}` | {', '.join(f'`{column}`' for column in head.split(','))} |"


def decoder():
    """Shows the decoder that tests/test_ingest.c tries."""
    yield "```c\n" + (ROOT / "tests" / "steps.c").read_text("utf-8") + "```"


def main():
    tables = {"formats": formats_table, "commands": commands_table, "columns": columns_table,
              "decoder": decoder}
    differs = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        written = re.sub(
            r"(<!-- made by scripts/pages.py: (\w+) -->\n).*?(\n<!-- end -->)",
            lambda mark: "\n".join([mark[1], *tables[mark[2]](), mark[3]]), text, flags=re.S)
        if written != text:
            differs.append(str(page.relative_to(ROOT)))
            if sys.argv[1] != "--check":
                page.write_text(written, "utf-8")
    if differs and sys.argv[1] == "--check":
        sys.exit(f"scripts/pages.py writes other tables into {' '.join(differs)}")


if __name__ == "__main__":
    main()
