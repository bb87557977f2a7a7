#!/usr/bin/env bash
# Compares our GraphQL with graphql-core from PyPI: verdicts of generated documents, responses, introspection. Skipped with
# a line when the peer cannot be had.
#   check-graphql-core.sh PATH-OF-graphql-peer [SEED SCHEMAS DOCUMENTS-PER-SCHEMA]
set -euo pipefail
peer=$1
shift
folder=$(cd "$(dirname "$0")/../conformance" && pwd)
command -v python3 >/dev/null || { echo "graphql-core: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=${PYTHON:-python3}
# Editions before 3.3 lack parts of the language that the cases use.
if ! "$python" -c 'import graphql; assert graphql.version_info >= (3, 3)' 2>/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q 'graphql-core>=3.3' 2>/dev/null; then
    python=$scratch/venv/bin/python
  else
    echo "graphql-core: skipped, the Python package is missing and cannot be installed: pip install 'graphql-core>=3.3'"
    exit 0
  fi
fi
"$peer" "${1:-1}" "${2:-100}" "${3:-100}" | "$python" "$folder/graphql_core.py"
