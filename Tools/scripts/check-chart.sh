#!/usr/bin/env bash
# Lints the Helm chart, renders it with several values, and compares what comes out with the schemas of Kubernetes, by packages from
# PyPI; the settings of a node are checked by the server itself. Skipped with a line when the packages cannot be had.
#   check-chart.sh [PATH-OF-realm-object-server]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
server=${1:-}
command -v python3 >/dev/null || { echo "chart: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! python3 -m venv "$scratch/venv" 2>/dev/null || ! "$scratch/venv/bin/pip" install -q helm-python-sdk kubernetes-validate pyyaml 2>/dev/null; then
  echo "chart: skipped, the Python packages helm-python-sdk and kubernetes-validate cannot be installed"
  exit 0
fi
"$scratch/venv/bin/python" - "$root/Tools/packaging/helm" "$scratch" <<'PYTHON'
import sys, yaml, helm_python, kubernetes_validate
chart_path, scratch = sys.argv[1:]
found = helm_python.lint(chart_path)
# 0 unknown, 1 a hint, 2 a warning, 3 an error
bad = [m for m in found["messages"] if m["severity"] > 1]
if bad or found["errors"]: sys.exit(f"chart: {bad} {found['errors']}")
cases = [
    {},
    {"replicas": 5, "cache": {"persistent": False}, "keys": {"secret": "old"}},
    {"publicURL": "https://sync.example.org", "leaseSeconds": 4, "clusterSecret": {"secret": "wraps"}, "image": {"tag": "1"}, "service": {"type": "LoadBalancer", "annotations": {"a": "b"}},
     "cache": {"storageClass": "fast"}, "nodeSelector": {"disk": "ssd"}, "tolerations": [{"key": "realm", "operator": "Exists"}],
     "settings": {"max-connections": 50000, "studio": "none", "no-passwords": True}},
]
count = 0
for number, values in enumerate(cases):
    with helm_python.Chart.load(chart_path) as chart:
        chart.validate_schema(values)
        rendered = chart.render(values, name="demo", namespace="prod")
    for name, text in rendered.items():
        for document in yaml.safe_load_all(text) if name.endswith(".yaml") else ():
            kubernetes_validate.validate(document, "1.29", strict=True)
            count += 1
            if document["kind"] == "ConfigMap":
                open(f"{scratch}/{number}.toml", "w").write(document["data"]["server.toml"])
print(f"chart: no warning, {count} objects of {len(cases)} sets of values as Kubernetes describes them")
PYTHON
[ -n "$server" ] || exit 0
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$scratch/secret"
for file in "$scratch"/*.toml; do
  sed -i "s|/cluster-secret/secret|$scratch/secret|" "$file"
  REALM_OBJECT_SERVER_STORAGE=postgresql://127.0.0.1/realm REALM_OBJECT_SERVER_NODE=demo-0 REALM_OBJECT_SERVER_NODE_ADDRESS=http://demo-0:9080 \
    REALM_OBJECT_SERVER_DATA=$scratch/data "$server" config check "$file" >"$scratch/out" 2>&1 || { cat "$file" "$scratch/out" >&2; exit 1; }
done
echo "chart: the server takes the settings of a node"
