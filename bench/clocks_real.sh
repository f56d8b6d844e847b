#!/usr/bin/env bash
# Prints how clocks that are really wrong are set right: those of a run recorded by eztrace, and one
# that faketime makes fast. The figures are those of tests/cli/clocks_real.sh.
#
#   bench/clocks_real.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export OCELOTL_ROOT=$root OCELOTL_CLI=${OCELOTL_CLI:-$root/build/ocelotl-cli} OCELOTL_PRINT=1
exec bash "$root/tests/cli/clocks_real.sh"
