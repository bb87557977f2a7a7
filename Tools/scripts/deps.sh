#!/usr/bin/env bash
# Says what is missing of Swift, and installs the system packages that the build needs, those that are missing only.
#   deps.sh [PACKAGE…]     these packages as well
set -euo pipefail
swift=${SWIFT:-swift}
if ! command -v "$swift" >/dev/null; then
  cat >&2 <<TEXT
There is no '$swift' here. OpenRealm is built with Swift 6.1 or later: see https://www.swift.org/install/linux
Where it is installed but not on PATH, name it: make run SWIFT=/opt/swift/usr/bin/swift
TEXT
  exit 1
fi
version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
if [ -z "$version" ] || [ "$(printf '6.1\n%s\n' "$version" | sort -V | head -n 1)" != 6.1 ]; then
  echo "'$swift' is Swift ${version:-of an unknown version}; OpenRealm is built with 6.1 or later: see https://www.swift.org/install/linux" >&2
  exit 1
fi
packages=(libsqlite3-dev libssl-dev libuv1-dev libhttp-parser-dev libncurses-dev zlib1g-dev libcurl4-openssl-dev libpq-dev postgresql "$@")
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
command -v apt-get >/dev/null || { echo "deps: install these by hand: ${missing[*]}" >&2; exit 1; }
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
echo "deps: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
