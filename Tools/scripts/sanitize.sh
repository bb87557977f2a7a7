#!/usr/bin/env bash
# Tests of the local database under the address sanitizer and then the thread sanitizer; each has its own build.
#   sanitize.sh [PACKAGE…]      without names: StorageEngine ObjectStore
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
swift=${SWIFT:-swift}
[ $# -gt 0 ] || set -- StorageEngine ObjectStore
# The runtime keeps metadata for as long as the process lives, which is no leak.
export ASAN_OPTIONS=detect_leaks=0
export TSAN_OPTIONS=suppressions=$root/Packages/StorageEngine/Tests/thread-sanitizer.supp
for sanitizer in address thread; do
  for package in "$@"; do
    echo "sanitize: $package, $sanitizer"
    "$swift" test --package-path "$root/Packages/$package" --sanitize="$sanitizer" \
      --scratch-path "$root/.build/sanitize-$sanitizer"
  done
done
