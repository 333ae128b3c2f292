#!/bin/sh
# One relocatable object out of the static library, with the symbols of a list global and all others local.
#
#   object.sh LIBRARY.a OUT.o [EXPORTS.txt]
set -eu
library=$1
out=$2
exports=${3:-$(dirname "$0")/exports.txt}
undefined=$(sed 's/^/--undefined=/' "$exports")
# shellcheck disable=SC2086
"${LD:-ld}" -r -o "$out" $undefined "$library"
# Bitcode for link-time optimisation is of no use once joined, and confuses tools that look for it.
"${OBJCOPY:-objcopy}" --keep-global-symbols="$exports" --remove-section=.llvmbc --remove-section=.llvmcmd "$out"
