/// The settings of a file in the part of TOML that the connector needs: tables, and keys with strings, whole numbers, truth
/// values, and arrays of strings in one line.
struct TOMLFile {
  enum Value: Hashable {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case strings([String])
  }

  struct Fault: Error, Hashable, CustomStringConvertible {
    var line: Int
    var message: String

    var description: String { "line \(line): \(message)" }
  }

  /// Tables by their names, the one before the first header under the empty name; their keys in order, with lines.
  private(set) var tables: [(name: String, entries: [(key: String, value: Value, line: Int)])] = [("", [])]

  init(_ text: String) throws(Fault) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var reader = Reader(rest: line[...], line: number + 1)
      reader.skipBlanks()
      guard let first = reader.rest.first, first != "#" else { continue }
      if first == "[" {
        let name = try reader.header()
        guard !tables.contains(where: { $0.name == name }) else {
          throw reader.fault("the table [\(name)] stands twice")
        }
        tables.append((name, []))
        continue
      }
      let key = try reader.key()
      let value = try reader.value()
      try reader.end()
      guard !tables[tables.count - 1].entries.contains(where: { $0.key == key }) else {
        throw reader.fault("'\(key)' is set twice")
      }
      tables[tables.count - 1].entries.append((key, value, number + 1))
    }
  }

  private struct Reader {
    var rest: Substring
    let line: Int

    func fault(_ message: String) -> Fault { Fault(line: line, message: message) }

    mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" } }

    mutating func header() throws(Fault) -> String {
      rest.removeFirst()
      guard let end = rest.firstIndex(of: "]") else { throw fault("a table's name ends with ]") }
      let name = rest[..<end].filter { $0 != " " && $0 != "\"" }
      rest = rest[rest.index(after: end)...]
      try self.end()
      return String(name)
    }

    mutating func key() throws(Fault) -> String {
      let key: String
      if rest.first == "\"" || rest.first == "'" {
        key = try string()
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        rest = rest.dropFirst(word.count)
        key = String(word)
      }
      skipBlanks()
      guard !key.isEmpty, rest.popFirst() == "=" else { throw fault("a setting is written as: name = value") }
      skipBlanks()
      return key
    }

    mutating func value() throws(Fault) -> Value {
      if rest.first == "\"" || rest.first == "'" { return .string(try string()) }
      if rest.first == "[" {
        rest.removeFirst()
        var strings: [String] = []
        skipBlanks()
        while let next = rest.first, next != "]" {
          strings.append(try string())
          skipBlanks()
          if rest.first == "," { rest.removeFirst() }
          skipBlanks()
        }
        guard rest.popFirst() == "]" else { throw fault("an array ends with ] in its line") }
        return .strings(strings)
      }
      let word = rest.prefix { !" \t\r#".contains($0) }
      rest = rest.dropFirst(word.count)
      if word == "true" || word == "false" { return .bool(word == "true") }
      if let number = Int(word.filter { $0 != "_" }) { return .integer(number) }
      throw fault("'\(word)' is no value: texts stand in quotes")
    }

    mutating func string() throws(Fault) -> String {
      guard let quote = rest.popFirst(), quote == "\"" || quote == "'" else { throw fault("a text stands in quotes") }
      var text = ""
      while let next = rest.popFirst() {
        if next == quote { return text }
        guard next == "\\", quote == "\"" else {
          text.append(next)
          continue
        }
        switch rest.popFirst() {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\\": text.append("\\")
        case "\"": text.append("\"")
        default: throw fault("an unknown escape; texts in 'single quotes' have none")
        }
      }
      throw fault("a text has no closing quote")
    }

    mutating func end() throws(Fault) {
      skipBlanks()
      guard rest.isEmpty || rest.first == "#" else { throw fault("something follows the value") }
    }
  }
}
