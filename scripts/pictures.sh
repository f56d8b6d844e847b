#!/usr/bin/env bash
# Draws the pictures in docs/ from the traces of the repository: those of the README, and those of
# docs/views.md, docs/levels.md, docs/types.md, docs/texture.md and docs/formats/ by the commands of
# these pages. Needs a build in build/.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$root/build:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config # nobody's own defaults
cd "$folder" # a picture carries its command line: names without folders

draw() { # TRACE
    local name
    name=$(basename "$1" .trace.zst)
    ocelotl-cli import "$1" -o "$name.db" >/dev/null
    ocelotl-cli --slices 60 "$name.db" -o "$name.png"
    cp "$name.png" "$root/docs/"
    echo "docs/$name.png"
}

draw "$root/examples/smpi-stencil-96.trace.zst"
draw "$root/tests/data/smpi-stencil-700.trace.zst"
mkdir pytorch-ranks
python3 "$root/examples/pytorch_ranks.py" 16 pytorch-ranks >/dev/null
ocelotl-cli import pytorch-ranks -o pytorch-ranks.db >/dev/null
ocelotl-cli pytorch-ranks.db -o pytorch-ranks.png
cp pytorch-ranks.png "$root/docs/"

mkdir gallery && cd gallery
cp "$root/examples/smpi-stencil-96.trace.zst" "$root"/tests/data/*.trace.zst .
grep '^    ocelotl-cli ' "$root/docs/views.md" >commands
grep '^    ocelotl-cli .* -o rule-.*\.png$' "$root/docs/levels.md" >>commands
grep '^    ocelotl-cli .* -o types-.*\.png$' "$root/docs/types.md" >>commands
bash -e commands >/dev/null
mkdir -p "$root/docs/gallery"
cp ./*.png "$root/docs/gallery/"
grep '^    ocelotl-cli .* -o texture-[0-9]*\.png$' "$root/docs/texture.md" >commands
bash -e commands >/dev/null 2>&1
"$root/scripts/montage.py" "$root/docs/gallery/textures.png" 2 texture-[1-6].png \
    texture-7.png:deuteranope texture-8.png:protanope texture-9.png:grey texture-10.png:grey
ocelotl-cli import smpi-stencil-96.trace.zst -o smpi-stencil-96.db >/dev/null
grep '^    ocelotl-cli .* -o durations\.png$' "$root/docs/statistics.md" >commands
bash -e commands >/dev/null
cp durations.png "$root/docs/"

# What the first sentence of docs/explain.md is about, as its command draws it.
ocelotl-cli explain smpi-stencil-96.trace.zst >explained.txt
words=$(sed -n 's/^   \(ocelotl-cli .*\) -o shown\.svg /\1 -o explain-1.png /p' explained.txt)
eval "${words%%$'\n'*}" >/dev/null
cp explain-1.png "$root/docs/"

# A trace whose clocks are wrong, as docs/trust.md makes it.
zstd -dcq smpi-stencil-96.trace.zst |
    python3 "$root/tests/clocks_maker.py" distort --offset 0.002 --seed 4 >shifted.trace 2>/dev/null
ocelotl-cli import shifted.trace -o shifted.db >/dev/null 2>&1
grep -e '^    ocelotl-cli .* -o trust-.*\.png$' -e '^    ocelotl-cli clocks .* -o aligned\.db$' \
    "$root/docs/trust.md" | grep -F shifted.db >commands
grep '^    ocelotl-cli .* -o trust-.*\.png$' "$root/docs/trust.md" | grep -F aligned.db >>commands
bash -e commands >/dev/null 2>&1
cp trust-*.png "$root/docs/"

# What counters and pages of memory show (docs/heap.md has a run of its own).
cp "$root/tests/data/numa_maps-4-nodes.pages" .
ocelotl-cli import "$root/tests/data/fibres.csv" --increment 'PAPI_*' -o fibres.db >/dev/null 2>&1
grep -h '^    ocelotl-cli .* -o \(memory-.*\|counters\)\.png$' "$root/docs/memory-pages.md" \
    "$root/docs/counters.md" >commands
bash -e commands >/dev/null 2>&1
cp memory-*.png counters.png "$root/docs/"

# The commands of a page of a format that draw pictures.
cd "$folder"
cp "$root"/examples/gstreamer-*.log.zst .
python3 "$root/examples/pytorch_ranks.py" 8 . >/dev/null
ocelotl-cli import rank*.json.gz --collectives -o run.db >/dev/null
ocelotl-cli import "$root/examples/pytorch" -o training.db >/dev/null
for kind in 'nsys run.sqlite' 'rocpd results.db' 'firefox profile.json' 'swf cluster.swf'; do
    python3 "$root/examples/crowds.py" $kind
done
grep -hE '^    ocelotl-cli .*-o ((gstreamer|chrome)-.*|nsys|rocpd|firefox|swf)\.png$' \
    "$root"/docs/formats/*.md >commands
bash -e commands >/dev/null
for picture in chrome-*.png nsys.png rocpd.png firefox.png swf.png; do # few colours
    ! command -v convert >/dev/null || convert "$picture" +dither -colors 96 "PNG8:$picture"
done
cp gstreamer-*.png chrome-*.png {nsys,rocpd,firefox,swf}.png "$root/docs/formats/"
du -ch "$root"/docs/*.png "$root"/docs/formats/*.png "$root"/docs/gallery/*.png | tail -n 1
