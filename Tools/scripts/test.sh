#!/usr/bin/env bash
# swift test, as it runs; when it fails, what failed stands once more at the end.
#   test.sh [OPTION…]      options of swift test
set -uo pipefail
# Tests that run side by side hold more files and sockets than the 1,024 that many systems allow at first.
ulimit -Sn "$(ulimit -Hn)" 2>/dev/null || true
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A run that stands still is ended, so that it names what had not ended; a busy machine takes a third of this.
timeout -k 30 "${TEST_SECONDS:-3000}" "${SWIFT:-swift}" test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  printf '\nswift test ended with %s. What failed:\n' "$status"
  grep -aE '✘|^↳ |^error: ' "$log"
  # A process that ends in the middle says nothing of the tests that it was at.
  grep -aq 'Test run with' "$log" || awk '
    match($0, /Test .* started\.$/) { running[substr($0, RSTART, RLENGTH - 9)] = 1 }
    match($0, /Test .* (passed|failed) after /) {
      name = substr($0, RSTART, RLENGTH)
      sub(/( with [0-9]+ test cases?)? (passed|failed) after $/, "", name)
      delete running[name]
    }
    END { for (name in running) if (name !~ /^Test (case|run)/) print "not ended: " name }' "$log"
fi
exit "$status"
