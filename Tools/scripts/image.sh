#!/usr/bin/env bash
# Builds the image of the server from the Debian package in .build/package, with podman or docker.
#   image.sh         TAG=realm-object-server:VERSION unless set
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
builder=
for candidate in podman docker; do
  if command -v "$candidate" >/dev/null && "$candidate" info >/dev/null 2>&1; then builder=$candidate; break; fi
done
if [ -z "$builder" ]; then
  echo "image: neither podman nor a running docker is here, so no image is built." >&2
  echo "       The archive and the Debian package in .build/package need none of them." >&2
  exit 1
fi
shopt -s nullglob
debs=("$root"/.build/package/openrealm_*.deb)
[ ${#debs[@]} -eq 1 ] || { echo "image: .build/package has no Debian package; make package makes it" >&2; exit 1; }
version=$(basename "${debs[0]}" | cut -d_ -f2)
# shellcheck source=/dev/null
. /etc/os-release
case $ID in
  debian) base=docker.io/library/debian:$VERSION_CODENAME-slim ;;
  *) base=docker.io/library/$ID:$VERSION_ID ;;
esac
tag=${TAG:-realm-object-server:$version}
# The health check of the image is none of podman's own format.
format=()
[ "$builder" != podman ] || format=(--format docker)
"$builder" build "${format[@]}" --build-arg "BASE=$base" -f "$root/Tools/packaging/Containerfile" -t "$tag" "$root/.build/package"
echo "image: $tag; try it: $builder run -p 9080:9080 -v openrealm:/data $tag"
