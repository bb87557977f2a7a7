#!/usr/bin/env bash
# Makes a Debian package and an archive of the programs, for machines without Swift, in .build/package.
#
#   openrealm_VERSION_ARCH.deb                  installs into /usr and uses the system's libraries
#   openrealm-VERSION-linux-ARCH.tar.gz         runs from any folder and brings its libraries along, but for the C library
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/.build/package
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$root/Packages/CommandLineKit/Sources/CommandLineKit/Release.swift")
[ -n "$version" ] || { echo "package: Release.swift names no version" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out"
umask 022

# Documents that go along.
documents() {
  install -d "$1"
  install -m 644 "$root/README.md" "$root/LICENSE" "$root/CHANGELOG.md" "$root/Tools/packaging/copyright" "$1/"
}

# The sizes; each program is to stay under 12 MB.
sizes() {
  (cd "$1" && stat -c '%s %n' bin/*; du -sb lib/openrealm | tr '\t' ' ') |
    awk '{ printf "  %6.1f MB  %s%s\n", $1 / 1e6, $2, ($2 ~ /^bin/ && $1 > 12e6) ? "  over 12 MB" : "" }'
}

# The archive.
name=openrealm-$version-linux-$(uname -m)
"$root/Tools/scripts/stage.sh" "$out/$name" system
documents "$out/$name"
install -d "$out/$name/share/openrealm"
install -m 644 "$root/Tools/packaging/server.toml" "$root/Tools/packaging/realm-object-server.service" "$out/$name/share/openrealm/"
tar -C "$out" --owner=0 --group=0 --numeric-owner --sort=name -czf "$out/$name.tar.gz" "$name"
echo "package: $name"
sizes "$out/$name"

# The Debian package.
if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
  echo "package: dpkg-deb or dpkg-shlibdeps is not here, so no Debian package is made (both are in dpkg-dev)"
else
  arch=$(dpkg --print-architecture)
  deb=$out/deb
  "$root/Tools/scripts/stage.sh" "$deb/usr"
  documents "$deb/usr/share/doc/openrealm"
  rm "$deb/usr/share/doc/openrealm/LICENSE"
  gzip -9n "$deb/usr/share/doc/openrealm/CHANGELOG.md"
  mv "$deb/usr/share/doc/openrealm/CHANGELOG.md.gz" "$deb/usr/share/doc/openrealm/changelog.gz"
  install -d "$deb/lib/systemd/system" "$deb/etc/openrealm" "$deb/DEBIAN"
  sed 's#/usr/local/bin/#/usr/bin/#' "$root/Tools/packaging/realm-object-server.service" \
    >"$deb/lib/systemd/system/realm-object-server.service"
  install -m 644 "$root/Tools/packaging/server.toml" "$deb/etc/openrealm/server.toml"
  install -m 755 "$root/Tools/packaging/postinst" "$root/Tools/packaging/prerm" "$root/Tools/packaging/postrm" "$deb/DEBIAN/"
  echo /etc/openrealm/server.toml >"$deb/DEBIAN/conffiles"
  # The libraries of the package's own folder are no dependencies; those of the system are, with the versions they need.
  mkdir -p "$out/control/debian"
  printf 'Source: openrealm\n\nPackage: openrealm\nArchitecture: any\n' >"$out/control/debian/control"
  depends=$(cd "$out/control" && dpkg-shlibdeps -O -l"$deb/usr/lib/openrealm" "$deb"/usr/bin/* "$deb"/usr/lib/openrealm/*.so 2>"$out/shlibdeps.log" |
    sed -n 's/^shlibs:Depends=//p')
  [ -n "$depends" ] || { cat "$out/shlibdeps.log" >&2; echo "package: the dependencies cannot be found" >&2; exit 1; }
  cat >"$deb/DEBIAN/control" <<CONTROL
Package: openrealm
Version: $version
Architecture: $arch
Maintainer: The OpenRealm authors <openrealm@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$deb" | cut -f1)
Depends: $depends, passwd
Recommends: ca-certificates
Section: database
Priority: optional
Description: offline-first object database with sync, and its server
 The object server keeps the realms of many users and devices in step, and
 speaks the protocol of stock Realm SDKs. With it come 'realm', which looks
 into realm files and moves data in and out, and two sample programs for
 the terminal, 'todo' and 'chat'.
CONTROL
  (cd "$deb" && find etc usr lib -type f -print0 | sort -z | xargs -0 md5sum) >"$deb/DEBIAN/md5sums"
  dpkg-deb --root-owner-group -Zxz --build "$deb" "$out/openrealm_${version}_$arch.deb" >/dev/null
  echo "package: openrealm_${version}_$arch.deb"
  sizes "$deb/usr"
fi
rm -rf "$out/deb" "$out/control" "$out/shlibdeps.log" "${out:?}/$name"
(cd "$out" && sha256sum openrealm* >SHA256SUMS)
(cd "$out" && stat -c '%s %n' openrealm*) | awk '{ printf "  %6.1f MB  .build/package/%s\n", $1 / 1e6, $2 }'
