#!/usr/bin/env bash
# Checks the model of a cluster's ownership, Tests/Models/ownership.pml, in every order of its steps, with Debian's spin and a C compiler.
# Each rule that is left out must break it, else the model proves nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
for program in spin cc; do
  command -v "$program" >/dev/null || { echo "model: there is no '$program' here; on Debian: apt-get install spin gcc" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check EXPECTED DEFINES…: EXPECTED is 'holds' or 'breaks'.
check() {
  local expected=$1; shift
  local folder="$work/run" found states seconds
  rm -rf "$folder"; mkdir "$folder"
  (cd "$folder" && spin -a "$@" "$root/Tests/Models/ownership.pml" >spin.out && cc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c) ||
    { cat "$folder/spin.out" >&2; exit 2; }
  (cd "$folder" && ./pan -m100000 -E >pan.out)
  found=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$folder/pan.out")
  states=$(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' "$folder/pan.out")
  seconds=$(sed -n 's/.*elapsed time \([0-9.]*\) seconds.*/\1/p' "$folder/pan.out")
  local outcome=breaks
  # A search that ended early has not looked everywhere.
  if [ "$found" = 0 ]; then outcome=holds; ! grep -q 'Search not completed\|max search depth too small' "$folder/pan.out" || outcome=unfinished; fi
  local mark=ok
  [ "$outcome" = "$expected" ] || { mark='NOT AS EXPECTED'; failed=1; }
  printf '%-34s %-10s %10s states %7s s  %s\n' "${*:-default}" "$outcome" "$states" "$seconds" "$mark"
}

check holds
check holds -DNODES=3
check holds -DSTANDBY
for rule in NO_FENCE NO_LOCK NO_KEY EARLY_REPLY; do check breaks "-D$rule"; done
for rule in NO_FENCE NO_SYNC NO_CONFIRM NO_RELOAD; do check breaks -DSTANDBY "-D$rule"; done
check breaks -DREACHED
check breaks -DSTANDBY -DREACHED
[ $failed -eq 0 ] || { echo "model: not as expected" >&2; exit 1; }
echo "model: what must hold holds in every order, and each rule is needed"
