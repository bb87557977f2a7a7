#!/usr/bin/env bash
# swift test, as it runs; when it fails, what failed stands once more at the end.
#   test.sh [OPTION…]      options of swift test
set -uo pipefail
# Tests that run side by side hold more files and sockets than the 1,024 that many systems allow at first.
ulimit -Sn "$(ulimit -Hn)" 2>/dev/null || true
log=$(mktemp)
seconds=${TEST_SECONDS:-3000}
# A process that ends at fault says where each of its threads was.
export SWIFT_BACKTRACE=${SWIFT_BACKTRACE:-enable=yes,threads=yes,registers=none,images=none,limit=48,top=0,color=no,timeout=120s}
# A run that stands still is ended, so that it says where; a busy machine takes a third of this.
(
  sleep "$seconds"
  echo "The tests have not ended after $seconds seconds."
  pkill -ABRT -f "^$PWD/.*PackageTests\.xctest"
  sleep 150
  pkill -KILL -f "^$PWD/.*PackageTests\.xctest"
) & watch=$!
trap 'pkill -P $watch; rm -f "$log"' EXIT
timeout -k 30 "$((seconds + 200))" "${SWIFT:-swift}" test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  printf '\nswift test ended with %s. What failed:\n' "$status"
  grep -aE '✘|^↳ |^error: ' "$log"
  # A process that ends in the middle says nothing of the tests that it was at.
  grep -aq 'Test run with' "$log" || {
    awk '
      match($0, /Test .* started\.$/) { running[substr($0, RSTART, RLENGTH - 9)] = 1 }
      match($0, /Test .* (passed|failed) after /) {
        name = substr($0, RSTART, RLENGTH)
        sub(/( with [0-9]+ test cases?)? (passed|failed) after $/, "", name)
        delete running[name]
      }
      END { for (name in running) if (name !~ /^Test (case|run)/) print "not ended: " name }' "$log"
    echo 'Threads were at:'
    grep -aoE ' (in|at) [^@]*\.swift:[0-9]+' "$log" | sort | uniq -c | sort -rn | head -n 60
  }
fi
exit "$status"
