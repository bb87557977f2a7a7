/// One stanza of a package index: what the catalogue keeps of it.
struct AptPackage {
  var name = ""
  var version = ""
  var section = ""
  var summary = ""
  var installedSize = 0
  /// Names of packages, without versions; of alternatives the first.
  var dependencies: [String] = []
}

/// Reads a package index, as `apt-cache dumpavail` prints it, stanza by stanza.
///
/// A field is `Name: value`; lines that begin with a space continue the one before. An empty line ends a stanza.
func forEachPackage(in lines: () -> String?, _ body: (AptPackage) throws -> Void) rethrows {
  var package = AptPackage()
  func text(_ value: Substring) -> String { String(value.drop { $0 == " " }) }
  func names(_ value: Substring) -> [String] {
    value.split(separator: ",").compactMap { relation in
      let name = relation.drop { $0 == " " }.prefix { $0 != " " && $0 != "|" && $0 != ":" && $0 != "(" }
      return name.isEmpty ? nil : String(name)
    }
  }
  while let line = lines() {
    if line.isEmpty {
      if !package.name.isEmpty { try body(package) }
      package = AptPackage()
      continue
    }
    guard line.first != " ", let colon = line.firstIndex(of: ":") else { continue }
    let value = line[line.index(after: colon)...]
    switch line[..<colon] {
    case "Package": package.name = text(value)
    case "Version": package.version = text(value)
    case "Section": package.section = text(value)
    case "Description", "Description-en": package.summary = text(value)
    case "Installed-Size": package.installedSize = Int(text(value)) ?? 0
    case "Depends", "Pre-Depends": package.dependencies += names(value)
    default: break
    }
  }
  if !package.name.isEmpty { try body(package) }
}
