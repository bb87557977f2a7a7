#!/usr/bin/env bash
# A bare Debian, in which there never was Swift, runs what 'make package' and 'make install' make.
#
#   check-packages.sh          needs root, debootstrap and a mirror of the host's release
#
# MIRROR names the mirror (default deb.debian.org). The bare root is kept in .build/bare-root and used again.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "check-packages: a bare root needs the rights of root; try sudo" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "check-packages: debootstrap is missing; apt-get install debootstrap" >&2; exit 1; }
# Mounts of this script are its own, and go with it.
[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare -m "$0" "$@"

# shellcheck source=/dev/null
. /etc/os-release
bare=$root/.build/bare-root
work=$(mktemp -d)
# The only mount is unmounted first, and what cannot be is left where it is: nothing outside of the folder is ever removed.
finish() {
  if mountpoint -q "$work/box/proc"; then umount "$work/box/proc" || return 0; fi
  rm -rf --one-file-system "$work"
}
trap finish EXIT
if [ ! -e "$bare/etc/os-release" ]; then
  echo "check-packages: making a bare $VERSION_CODENAME"
  rm -rf "$bare" "$bare.partial"
  debootstrap --variant=minbase "$VERSION_CODENAME" "$bare.partial" "${MIRROR:-http://deb.debian.org/debian}" >"$work/debootstrap.log" ||
    { tail -n 5 "$work/debootstrap.log" >&2; exit 1; }
  mv "$bare.partial" "$bare"
fi
# A copy for this run, on which nothing of an earlier one is left.
box=$work/box
cp -a "$bare" "$box"
# Its devices are those that debootstrap makes; the machine's own are not mounted.
mount -t proc proc "$box/proc"
cp /etc/resolv.conf "$box/etc/resolv.conf"
in_box() { chroot "$box" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm DEBIAN_FRONTEND=noninteractive "$@"; }
fail() { echo "check-packages: $*" >&2; exit 1; }
in_box sh -c 'command -v swift || find / -xdev -name "libswiftCore*" | grep .' && fail "there is Swift in the bare root"

# Programs in one folder do what they are for: a server, two users, a shared list, a look into the file.
cat >"$box/trial.sh" <<'TRIAL'
set -euo pipefail
bin=$1
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for program in realm-object-server realm todo chat; do "$bin/$program" --version; done
"$bin/realm-object-server" --port 0 --data "$work/server" >"$work/said" 2>"$work/log" &
server=$!
for _ in $(seq 100); do [ -s "$work/said" ] && break; sleep 0.1; done
url=$(sed -n 's/^listening on \(http[^,]*\),.*/\1/p' "$work/said")
[ -n "$url" ] || { cat "$work/said" "$work/log" >&2; exit 1; }
REALM_PASSWORD=ann-secret "$bin/todo" --data "$work/ann" --server "$url" --user ann login --register
REALM_PASSWORD=bob-secret "$bin/todo" --data "$work/bob" --server "$url" --user bob login --register
"$bin/todo" --data "$work/ann" --wait 20 add "(A) Buy milk due:tomorrow" --list Groceries --create
"$bin/todo" --data "$work/ann" --wait 20 share bob --write
"$bin/todo" --data "$work/bob" --wait 20 --of ann list --json | grep -q "Buy milk"
REALM_PASSWORD=ann-secret "$bin/chat" --data "$work/chat" --server "$url" --user ann login
"$bin/realm-object-server" realms --data "$work/server"
file=$(find "$work/ann/realms" -name '*.realm' | head -n 1)
"$bin/realm" query "$file" TodoItem "priority == 1"
kill "$server"
wait "$server"
"$bin/realm-object-server" verify --data "$work/server"
TRIAL

echo "== the archive, unpacked in a folder with a blank in its name"
mkdir -p "$box/home/some one"
tar -C "$box/home/some one" -xzf "$root"/.build/package/openrealm-*.tar.gz
folder=$(ls "$box/home/some one")
in_box bash /trial.sh "/home/some one/$folder/bin"
mv "$box/home/some one" "$box/opt/moved"
in_box bash /trial.sh "/opt/moved/$folder/bin" >/dev/null
rm -rf "$box/opt/moved"

echo "== the Debian package"
in_box apt-get update -qq
cp "$root"/.build/package/openrealm_*.deb "$box/tmp/"
in_box sh -c 'apt-get install -y -qq --no-install-recommends /tmp/openrealm_*.deb >/tmp/apt.log 2>&1 || { cat /tmp/apt.log >&2; exit 1; }'
in_box bash /trial.sh /usr/bin
in_box sh -c 'test "$(stat -c %U:%a /var/lib/openrealm)" = openrealm:700'
in_box sh -c 'realm-object-server config check /etc/openrealm/server.toml | tail -n 1'
in_box sh -c 'for p in realm-object-server realm todo chat; do test -s /usr/share/man/man1/$p.1.gz && test -s /usr/share/bash-completion/completions/$p || exit 1; done'
in_box apt-get purge -y -qq openrealm >/dev/null
[ ! -e "$box/usr/bin/todo" ] || fail "the package leaves programs behind"
[ -d "$box/var/lib/openrealm" ] || fail "purging the package removes data"

echo "== what make install makes, beside the system's libraries"
"$root/Tools/scripts/stage.sh" "$box/usr/local"
in_box bash /trial.sh /usr/local/bin >/dev/null
echo "check-packages: the archive, the package and the installed programs run on a bare $PRETTY_NAME"
