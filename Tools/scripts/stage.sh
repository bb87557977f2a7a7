#!/usr/bin/env bash
# Puts the programs into a folder with what they need: Swift's runtime, completion for three shells, manual pages.
#
#   stage.sh PREFIX [system]   with "system" also the system libraries that they use, but for the C library
#
#   PREFIX/bin/                the programs, stripped
#   PREFIX/lib/openrealm/      libraries; programs find them from their own place, wherever that is
#   PREFIX/share/              man/man1, bash-completion/completions, zsh/vendor-completions, fish/vendor_completions.d
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$("${SWIFT:-swift}" build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
prefix=$1
system=${2:-}
programs=(realm-object-server realm todo chat)
private=$prefix/lib/openrealm

for program in "${programs[@]}"; do
  [ -x "$bin/$program" ] || { echo "stage: $bin/$program is missing; make release builds it" >&2; exit 1; }
done
command -v patchelf >/dev/null || { echo "stage: patchelf is missing; Tools/scripts/deps.sh patchelf installs it" >&2; exit 1; }

# The libraries of the programs by path, those that libraries use included.
libraries() {
  for program in "${programs[@]}"; do ldd "$bin/$program"; done | awk '$3 ~ /^\// { print $3 }' | sort -u
}

# Links a program to a file as SwiftPM did, but without the tables of the unwinder, a sixth of it: Swift traces crashes by frame
# pointers, and no exception of C++ passes through Swift. Fails where the toolchain has no lld.
link_small() {
  local words=()
  mapfile -t words < <(sed -n "/description: \"Linking .*\/$1\"/{n;s/^ *args: \[\"//;s/\"\]\$//;s/\",\"/\n/g;p}" "$bin/../../release.yaml")
  [ "${#words[@]}" -gt 0 ] || return 1
  for i in "${!words[@]}"; do [ "${words[$i]}" != -o ] || words[i + 1]=$2; done
  "${words[@]}" -use-ld=lld -Xlinker --no-eh-frame-hdr -Xlinker -T"$root/Tools/packaging/no-unwind-tables.ld"
}

install -d "$prefix/bin" "$private"
while read -r library; do
  case $library in
    */lib/swift/linux/*) ;;
    */ld-linux*|*/libc.so.*|*/libm.so.*|*/libdl.so.*|*/libpthread.so.*|*/librt.so.*|*/libresolv.so.*) continue ;;
    *) [ "$system" = system ] || continue ;;
  esac
  target=$private/$(basename "$library")
  rm -f "$target"
  install -m 644 "$(realpath "$library")" "$target"
  strip --strip-unneeded "$target"
  [[ $library == */lib/swift/linux/* ]] || patchelf --set-rpath '$ORIGIN' "$target"
done < <(libraries)

for program in "${programs[@]}"; do
  # Replaced and not overwritten: a program that runs keeps its file.
  rm -f "$prefix/bin/$program"
  # The server keeps its tables: they make the traces of its crashes complete.
  if [ "$program" = realm-object-server ] || ! link_small "$program" "$prefix/bin/$program"; then
    install -m 755 "$bin/$program" "$prefix/bin/$program"
  fi
  chmod 755 "$prefix/bin/$program"
  strip "$prefix/bin/$program"
  patchelf --set-rpath '$ORIGIN/../lib/openrealm' "$prefix/bin/$program"
done

man=$prefix/share/man/man1
bash=$prefix/share/bash-completion/completions
zsh=$prefix/share/zsh/vendor-completions
fish=$prefix/share/fish/vendor_completions.d
install -d "$man" "$bash" "$zsh" "$fish"
for program in "${programs[@]}"; do
  # Defaults below the home folder are told as such, whoever builds this.
  tell() { env -i HOME='~' "$prefix/bin/$program" "$@"; }
  tell --manual | gzip -9n >"$man/$program.1.gz"
  tell --completions bash >"$bash/$program"
  tell --completions zsh >"$zsh/_$program"
  tell --completions fish >"$fish/$program.fish"
  chmod 644 "$man/$program.1.gz" "$bash/$program" "$zsh/_$program" "$fish/$program.fish"
done
