import Foundation

/// A configuration file in TOML: one setting per line, then sections for what may be there several times.
///
/// ```text
/// # server.toml
/// port = 9080
/// host = "0.0.0.0"
/// registration = "none"
///
/// [jwt.company]
/// key-set = "https://login.example.org/keys"
/// ```
///
/// Names are those of the options. Values are whole numbers, `true`, `false`, "basic strings" with escapes, 'literal
/// strings', or for some options tables of strings in one line, `{ "name" = "value", … }`. Reading goes on after a mistake, so that all are told at once.
struct ConfigurationFile: Sendable {
  /// One setting, with where it stands.
  struct Entry: Hashable, Sendable {
    var name: String
    var value: String
    var line: Int
  }

  /// A section, `[kind.name]`, with its settings.
  struct Section: Hashable, Sendable {
    var kind: String
    var name: String
    var line: Int
    var entries: [Entry] = []

    /// The text of a setting; nil when it is not set.
    func text(_ name: String) -> String? { entries.first { $0.name == name }?.value }
    /// The parts of a comma-separated setting.
    func list(_ name: String) -> [String] {
      (text(name) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
  }

  /// A line that cannot be used, and what to do about it.
  struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int?
    var message: String
    var remedy: String

    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)\n  to do: \(remedy)" }
  }

  let path: String
  private(set) var entries: [Entry] = []
  private(set) var sections: [Section] = []
  private(set) var problems: [Problem] = []

  init(path: String, text: String) {
    self.path = path
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      do throws(Problem) {
        if let section = try section(line, number: index + 1) {
          sections.append(section)
          continue
        }
        guard let entry = try entry(line, number: index + 1) else { continue }
        guard sections.isEmpty else {
          let last = sections.count - 1
          guard sections[last].text(entry.name) == nil else {
            throw problem(index + 1, "'\(entry.name)' is set in this section already", "remove one of the two lines")
          }
          sections[last].entries.append(entry)
          continue
        }
        if let earlier = entries.first(where: { $0.name == entry.name }) {
          throw problem(
            index + 1, "'\(entry.name)' is set in line \(earlier.line) already", "remove one of the two lines")
        }
        entries.append(entry)
      } catch {
        problems.append(error)
      }
    }
  }

  /// The file at `path`.
  static func read(_ path: String) throws(Problem) -> ConfigurationFile {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Problem(
        path: path, line: nil, message: "the file cannot be read", remedy: "check that it exists and may be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Problem(path: path, line: nil, message: "the file is not UTF-8", remedy: "save it as UTF-8")
    }
    return ConfigurationFile(path: path, text: text)
  }

  func problem(_ line: Int, _ message: String, _ remedy: String) -> Problem {
    Problem(path: path, line: line, message: message, remedy: remedy)
  }

  private func section(_ line: Substring, number: Int) throws(Problem) -> Section? {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard text.hasPrefix("[") else { return nil }
    guard let match = text.wholeMatch(of: /\[(jwt|function|webhook)\.([A-Za-z0-9-]{1,64})\]( *#.*)?/) else {
      throw problem(number, "there is no such section", "sections are [jwt.NAME], [function.NAME] and [webhook.NAME]")
    }
    let (kind, name) = (String(match.output.1), String(match.output.2))
    guard !sections.contains(where: { $0.name == name }) else {
      throw problem(number, "there is a section with the name '\(name)' already", "give each its own name")
    }
    return Section(kind: kind, name: name, line: number)
  }

  private func entry(_ line: Substring, number: Int) throws(Problem) -> Entry? {
    let text = line.trimmingCharacters(in: .whitespaces)
    if text.isEmpty || text.hasPrefix("#") { return nil }
    guard let equals = text.firstIndex(of: "=") else {
      throw problem(number, "the line is no setting", "write it as: name = value")
    }
    let name = text[..<equals].trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
      throw problem(number, "'\(name)' is no name", "names have letters, digits and hyphens, as in log-level")
    }
    var reader = ValueReader(text[text.index(after: equals)...])
    do throws(ValueReader.Failure) {
      return Entry(name: name, value: try reader.value(), line: number)
    } catch {
      throw problem(number, "the value of '\(name)' \(error.what)", error.remedy)
    }
  }
}

/// Reads one value to the end of its line.
private struct ValueReader {
  struct Failure: Error {
    var what: String
    var remedy: String
  }

  private var rest: Substring

  init(_ text: Substring) { rest = text.drop { $0 == " " || $0 == "\t" } }

  mutating func value() throws(Failure) -> String {
    let value: String
    switch rest.first {
    case "\"": value = try basicString()
    case "'": value = try literalString()
    case "{": value = try table()
    default:
      let word = rest.prefix { $0 != "#" && $0 != " " && $0 != "\t" }
      rest = rest.dropFirst(word.count)
      let plain = word.replacingOccurrences(of: "_", with: "")
      guard word == "true" || word == "false" || Int(plain) != nil else {
        throw Failure(
          what: word.isEmpty ? "is missing" : "is neither a number nor true or false",
          remedy: "put texts in quotes, as in host = \"0.0.0.0\"")
      }
      value = plain
    }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.isEmpty || rest.hasPrefix("#") else {
      throw Failure(what: "is followed by something else", remedy: "write one setting per line, and comments after #")
    }
    return value
  }

  /// The table as `name=value` with commas between, as an option takes it.
  private mutating func table() throws(Failure) -> String {
    var pairs: [String] = []
    rest.removeFirst()
    while true {
      skipBlanks()
      if pairs.isEmpty, rest.first == "}" { break }
      let name = try word()
      skipBlanks()
      guard rest.popFirst() == "=" else { throw Self.badTable }
      skipBlanks()
      let value = try word()
      guard !name.contains(where: { ",=".contains($0) }), !value.contains(",") else { throw Self.badTable }
      pairs.append(name + "=" + value)
      skipBlanks()
      guard rest.first == "," else { break }
      rest.removeFirst()
    }
    guard rest.popFirst() == "}" else { throw Self.badTable }
    return pairs.joined(separator: ",")
  }

  /// A string, or a name without quotes.
  private mutating func word() throws(Failure) -> String {
    switch rest.first {
    case "\"": return try basicString()
    case "'": return try literalString()
    default:
      let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      guard !word.isEmpty else { throw Self.badTable }
      rest = rest.dropFirst(word.count)
      return String(word)
    }
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  private static var badTable: Failure {
    Failure(
      what: "is no table",
      remedy: "write it in one line as { \"name\" = \"value\", … }, without commas in names and values")
  }

  private mutating func literalString() throws(Failure) -> String {
    rest.removeFirst()
    guard let end = rest.firstIndex(of: "'") else { throw Self.unended }
    defer { rest = rest[rest.index(after: end)...] }
    return String(rest[..<end])
  }

  private mutating func basicString() throws(Failure) -> String {
    rest.removeFirst()
    var text = ""
    while let next = rest.popFirst() {
      if next == "\"" { return text }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      switch rest.popFirst() {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\": text.append("\\")
      case "\"": text.append("\"")
      default:
        throw Failure(
          what: "has an unknown escape", remedy: "write \\\\ for a backslash, or put the text in 'single quotes'")
      }
    }
    throw Self.unended
  }

  private static var unended: Failure {
    Failure(what: "has no closing quote", remedy: "end it with the quote it began with")
  }
}
