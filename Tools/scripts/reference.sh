#!/usr/bin/env bash
# Builds the reference of every package that has a DocC catalogue, into .build/reference/<module>.
# A link to a symbol that does not exist, in a catalogue or in a comment, is an error.
#   reference.sh [MODULE…]
set -euo pipefail
command -v docc >/dev/null || { echo "reference: this toolchain has no docc; the catalogues are left unbuilt" >&2; exit 0; }
bin=$("${SWIFT:-swift}" build --show-bin-path)
out=.build/reference
maps=()
for map in $(git ls-files '*module.modulemap') "$bin"/*.build/module.modulemap; do
  [ -f "$map" ] && maps+=(-Xcc "-fmodule-map-file=$(realpath "$map")")
done
target=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)
broken=0
built=0
for catalogue in $(git ls-files --cached --others --exclude-standard 'Packages/*.docc/*.md' | xargs -n1 dirname | sort -u); do
  module=$(basename "$catalogue" .docc)
  if [ $# -gt 0 ] && [[ " $* " != *" $module "* ]]; then continue; fi
  rm -rf "${out:?}/$module" "$out/graphs/$module"
  mkdir -p "$out/graphs/$module"
  swift symbolgraph-extract -module-name "$module" -I "$bin/Modules" -target "$target" -minimum-access-level public \
    -output-dir "$out/graphs/$module" "${maps[@]}"
  docc convert "$catalogue" --fallback-display-name "$module" --fallback-bundle-identifier "org.openrealm.$module" \
    --additional-symbol-graph-dir "$out/graphs/$module" --output-path "$out/$module" >"$out/$module.log" 2>&1
  if grep -aE -A1 "^warning: .*(doesn't exist at|is ambiguous|isn't a disambiguation)" "$out/$module.log"; then
    broken=$((broken + 1))
  fi
  built=$((built + 1))
done
rm -rf "$out/graphs"
echo "reference: $built catalogues in $out, $broken with links that lead nowhere"
[ "$broken" -eq 0 ]
