#!/usr/bin/env bash
# Runs the audit suite of graphql-http, unmodified, against a server of its own: every audit of "GraphQL over HTTP" must hold.
# The suite comes from npm, or from a checkout of its repository, which esbuild from Debian puts into one file. Skipped with a
# line when it cannot be had.
#   check-graphql-http.sh PATH-OF-realm-object-server [CHECKOUT-OF-graphql-http]
set -euo pipefail
server=$(realpath "$1")
checkout=${2:-}
folder=$(cd "$(dirname "$0")/../conformance" && pwd)
command -v node >/dev/null || { echo "graphql-http: skipped, there is no node"; exit 0; }
scratch=$(mktemp -d)
trap '[ -z "${process:-}" ] || kill "$process" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$scratch"' EXIT
if [ -n "$checkout" ]; then
  command -v esbuild >/dev/null || { echo "graphql-http: skipped, there is no esbuild: apt-get install esbuild"; exit 0; }
  esbuild "$checkout/src/audits/server.ts" --bundle --format=esm --platform=node --log-level=error \
    --outfile="$scratch/node_modules/graphql-http/index.mjs"
  echo '{"name":"graphql-http","exports":"./index.mjs"}' >"$scratch/node_modules/graphql-http/package.json"
elif ! (cd "$scratch" && npm install --no-save --ignore-scripts --fetch-retries 0 graphql-http@1 graphql@16) >"$scratch/npm" 2>&1; then
  echo "graphql-http: skipped, the package cannot be installed: npm install graphql-http graphql, or give a checkout of it"
  exit 0
fi
"$server" --port 0 --data "$scratch/data" --log-level error >"$scratch/out" 2>"$scratch/log" &
process=$!
for _ in $(seq 3000); do
  grep -q listening "$scratch/out" && break
  kill -0 "$process" 2>/dev/null || break
  sleep 0.1
done
url=$(sed -n 's/.*listening on \(http[^,]*\),.*/\1/p' "$scratch/out")
[ -n "$url" ] || { echo "graphql-http: the server did not start" >&2; cat "$scratch/log" >&2; exit 1; }
token=$(sed 's/.*"ADMIN_TOKEN": *"\([^"]*\)".*/\1/' "$scratch/data/keys/admin.json")
cp "$folder/graphql_http.mjs" "$scratch/"
TOKEN=$token node "$scratch/graphql_http.mjs" "$url/graphql/%2Fdefault"
