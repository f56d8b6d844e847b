#!/usr/bin/env bash
# Runs scripts of cli/, each with what cli/common.inc gives: tests/run.sh NAME...
tests=$(cd "$(dirname "$0")" && pwd)
export OCELOTL_ROOT=${OCELOTL_ROOT:-${tests%/*}}
export OCELOTL_BUILD=${OCELOTL_BUILD:-$OCELOTL_ROOT/build}
export OCELOTL_CLI=${OCELOTL_CLI:-$OCELOTL_BUILD/ocelotl-cli}
if [ $# -gt 1 ]; then
    code=0
    for name in "$@"; do
        echo "$name" && bash "$0" "$name" || code=$?
    done
    exit "$code"
fi
. "$tests/cli/common.inc"
. "$tests/cli/$1.sh"
finish
