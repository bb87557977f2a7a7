/// Gives GraphQL names to names of a realm, each once.
///
/// A character that GraphQL does not have becomes `_`, as do the two underscores in front that are reserved for introspection.
/// Of two names that become one, the later gets a number: `Dog_2`.
struct NameTable {
  private var taken: Set<String>

  init(reserved: Set<String> = []) { taken = reserved }

  /// The name that stands for `name`, taken from now on.
  mutating func take(_ name: String) -> String {
    let base = Self.legal(name)
    var result = base
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(base)_\(number)"
      number += 1
    }
    return result
  }

  /// A name of the letters that GraphQL has.
  static func legal(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isLetter = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
      result.unicodeScalars.append(isLetter ? scalar : "_")
    }
    while result.hasPrefix("__") { result.removeFirst() }
    return result.isEmpty || result.first?.isNumber == true ? "_" + result : result
  }

  /// The name with a small first letter.
  static func lowerCamel(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
