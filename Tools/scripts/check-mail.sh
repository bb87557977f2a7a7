#!/usr/bin/env bash
# Confirms an account and resets a password with real messages, over aiosmtpd from PyPI. Skipped with a line when that cannot be had.
#   check-mail.sh PATH-OF-realm-object-server
set -euo pipefail
server=$(realpath "$1")
folder=$(cd "$(dirname "$0")/../conformance" && pwd)
command -v python3 >/dev/null || { echo "mail: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=${PYTHON:-python3}
if ! "$python" -c 'import aiosmtpd' 2>/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q aiosmtpd 2>/dev/null; then
    python=$scratch/venv/bin/python
  else
    echo "mail: skipped, the Python package aiosmtpd is missing and cannot be installed: pip install aiosmtpd"
    exit 0
  fi
fi
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key.pem" -out "$scratch/cert.pem" -days 2 \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
"$python" "$folder/mail.py" "$server" "$scratch/cert.pem" "$scratch/key.pem" "$scratch/data"
