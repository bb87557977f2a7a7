#!/usr/bin/env bash
# Tests of the local database under the address sanitizer and then the thread sanitizer: one build each, and a line for
# each package.
#   sanitize.sh [PACKAGE…]      without names: StorageEngine ObjectStore DataExchange RealmSwift
#   SANITIZERS=thread           one of them
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
swift=${SWIFT:-swift}
[ $# -gt 0 ] || set -- StorageEngine ObjectStore DataExchange RealmSwift
# Tests that run side by side hold more files than the 1,024 that many systems allow at first.
ulimit -Sn "$(ulimit -Hn)" 2>/dev/null || true
# The runtime keeps metadata for as long as the process lives, which is no leak.
export ASAN_OPTIONS=detect_leaks=0
export TSAN_OPTIONS=suppressions=$root/Packages/StorageEngine/Tests/thread-sanitizer.supp
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failures=0
lines=()
for sanitizer in ${SANITIZERS:-address thread}; do
  scratch=$root/.build/${sanitizer::1}san
  "$swift" build --package-path "$root" --build-tests --sanitize="$sanitizer" --scratch-path "$scratch" || exit 1
  for package in "$@"; do
    suites=$(cd "$root/Packages/$package/Tests" && ls -d -- *Tests | paste -sd '|')
    "$swift" test --package-path "$root" --skip-build --sanitize="$sanitizer" --scratch-path "$scratch" \
      --filter "^($suites)\." >"$log" 2>&1
    status=$?
    reports=$(grep -acE '(WARNING: ThreadSanitizer|ERROR: AddressSanitizer)' "$log")
    # Every bundle of the repository says how many of its tests ran; those of other packages say 0.
    tests=$(grep -aoE 'Test run with [0-9]+ test' "$log" | awk '{ sum += $4 } END { print sum + 0 }')
    if [ "$status" -ne 0 ] || [ "$reports" -ne 0 ] || [ "$tests" -eq 0 ]; then
      failures=$((failures + 1))
      grep -aE '✘|^↳ |^error: ' "$log"
      grep -aE -A 40 '(WARNING: ThreadSanitizer|ERROR: AddressSanitizer)' "$log"
    fi
    lines+=("sanitize: $sanitizer, $package: $tests tests, $reports reports, ended with $status")
    echo "${lines[-1]}"
  done
done
printf '%s\n' "${lines[@]}"
exit $((failures > 0))
