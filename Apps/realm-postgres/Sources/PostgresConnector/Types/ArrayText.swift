/// One-dimensional arrays as PostgreSQL writes them: `{a,"b c",NULL}`.
enum ArrayText {
  static func text(_ elements: [String?]) -> String {
    var text = "{"
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(",") }
      guard let element else {
        text += "NULL"
        continue
      }
      text.append("\"")
      for scalar in element.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text.append("\\") }
        text.unicodeScalars.append(scalar)
      }
      text.append("\"")
    }
    return text + "}"
  }

  /// The elements; nil for arrays of more dimensions, and for those that do not begin at 1.
  static func elements(_ text: String) -> [String?]? {
    guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
    var elements: [String?] = []
    var rest = text.unicodeScalars.dropFirst().dropLast()
    while let first = rest.first {
      if first == "{" { return nil }
      var element = String.UnicodeScalarView()
      if first == "\"" {
        rest.removeFirst()
        while let next = rest.popFirst(), next != "\"" {
          if next == "\\", let escaped = rest.popFirst() { element.append(escaped) } else { element.append(next) }
        }
        elements.append(String(element))
      } else {
        while let next = rest.first, next != "," {
          element.append(next)
          rest.removeFirst()
        }
        elements.append(String(element) == "NULL" ? nil : String(element))
      }
      if rest.first == "," { rest.removeFirst() }
    }
    return elements
  }
}
