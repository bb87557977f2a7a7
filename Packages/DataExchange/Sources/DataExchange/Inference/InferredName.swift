import DataModel

/// Names of classes and properties for what other programs call as they like: letters, digits and `_`, so that a query can
/// say them.
///
///     InferredName.unique(["First Name", "1st", "", "First Name"])   // First_Name, _1st, column_3, First_Name_2
enum InferredName {
  /// The longest name of a class, in bytes.
  static let classLimit = 57
  /// The longest name of a property, in bytes.
  static let propertyLimit = 63

  /// A text as a name: everything but letters, digits and `_` becomes `_`, a digit in front gets one before it. Empty for an
  /// empty text.
  static func name(_ text: String, limit: Int) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.isASCII
        ? scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        : scalar.properties.isAlphabetic
      name.unicodeScalars.append(isPlain ? scalar : "_")
    }
    if let first = name.unicodeScalars.first, ("0"..."9").contains(first) { name = "_" + name }
    while name.utf8.count > limit { name.unicodeScalars.removeLast() }
    return name
  }

  /// The names of the columns of a table, each another one. O(n).
  static func unique(_ texts: [String]) -> [String] {
    var used: Set<String> = []
    return texts.enumerated().map { position, text in
      let base = name(text, limit: propertyLimit - 8)
      let wanted = base.isEmpty ? "column_\(position + 1)" : base
      var candidate = wanted
      var number = 2
      while !used.insert(candidate).inserted {
        candidate = "\(wanted)_\(number)"
        number += 1
      }
      return candidate
    }
  }

  /// The class of the objects of a file: its name without folders and endings.
  static func className(ofFile path: String) -> String {
    var file = path.split(separator: "/").last.map(String.init) ?? ""
    if let dot = file.lastIndex(of: "."), dot > file.startIndex { file = String(file[..<dot]) }
    let name = name(file, limit: classLimit)
    return name.isEmpty ? "Row" : name
  }
}

extension ObjectSchema {
  /// The property that another program's name means: the one of that name, or of the name made from it.
  func property(named text: String) -> Property? {
    self[text] ?? self[InferredName.name(text, limit: InferredName.propertyLimit - 8)]
  }
}
