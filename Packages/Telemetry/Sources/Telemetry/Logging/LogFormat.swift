/// The form of an entry as one line of text, without its line break.
///
///     text: 2026-11-20T19:00:00.000Z info  sync.session: bound path=/team ident=7
///     json: {"time":"2026-11-20T19:00:00.000Z","level":"info","category":"sync.session","message":"bound","path":"/team","ident":7}
public enum LogFormat: String, Sendable, CaseIterable {
  /// For people.
  case text
  /// One JSON object per line, for machines. A field named like a fixed key gets an underscore in front.
  case json

  /// The most characters of a message or a field that are written; both may hold text of a peer.
  public static let longestText = 1_000

  /// The line for `entry`.
  ///
  /// Control characters, and those that are invisible or reorder others, are escaped: an entry is always one line, and
  /// nothing in it is hidden. A text of more than ``longestText`` characters is cut, and ends in `…`.
  ///
  /// - Complexity: O(*n*) for *n* fields, whatever the length of their texts.
  public func line(for entry: LogEntry) -> String {
    switch self {
    case .text: Self.textLine(for: entry)
    case .json: Self.jsonLine(for: entry)
    }
  }

  private static func textLine(for entry: LogEntry) -> String {
    let level = entry.level.description
    return "\(entry.time) \(level)\(String(repeating: " ", count: max(0, 6 - level.count))) \(body(of: entry))"
  }

  /// A line of text without time and level, for sinks that add these themselves:
  ///
  ///     sync.session: bound path=/team ident=7
  public static func body(of entry: LogEntry) -> String {
    var line = ""
    if !entry.category.isEmpty { line += "\(escapedForText(entry.category, quoting: false)): " }
    line += escapedForText(entry.message, quoting: false)
    for field in entry.fields.fields {
      line += " \(escapedForText(field.key, quoting: true))="
      line += escapedForText(field.value.description, quoting: true)
    }
    return line
  }

  private static func jsonLine(for entry: LogEntry) -> String {
    var line = "{\"time\":\"\(entry.time)\",\"level\":\"\(entry.level)\""
    line += ",\"category\":\(quotedJSON(entry.category)),\"message\":\(quotedJSON(entry.message))"
    var used: Set<String> = ["time", "level", "category", "message"]
    for field in entry.fields.fields {
      var key = field.key
      while !used.insert(key).inserted { key = "_" + key }
      line += ",\(quotedJSON(key)):"
      switch field.value {
      case .string(let text): line += quotedJSON(text)
      case .integer, .bool: line += field.value.description
      case .double(let number): line += number.isFinite ? String(number) : "\"\(number)\""
      }
    }
    return line + "}"
  }

  /// The text with control characters escaped, and in quotes when `quoting` and it has blanks or quotes.
  private static func escapedForText(_ whole: String, quoting: Bool) -> String {
    let text = cut(whole)
    let plain = text.unicodeScalars.allSatisfy { scalar in
      !isControl(scalar) && !(quoting && (scalar == " " || scalar == "\"" || scalar == "="))
    }
    if plain && !(quoting && text.isEmpty) { return text }
    if quoting { return quotedJSON(text) }
    return String(quotedJSON(text, escapingQuotes: false).dropFirst().dropLast())
  }

  /// - Complexity: O(``longestText``).
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longestText else { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: longestText, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  /// Whether a terminal would obey the scalar or draw nothing for it, so that it could forge, reorder or hide parts of a
  /// line.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func quotedJSON(_ text: String, escapingQuotes: Bool = true) -> String {
    var result = "\""
    for scalar in cut(text).unicodeScalars {
      switch scalar {
      case "\"" where escapingQuotes: result += "\\\""
      case "\\" where escapingQuotes: result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isControl(scalar):
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
