/// Reads records of comma-separated values after RFC 4180: quotes are doubled inside quotes, line ends are CRLF, LF or CR.
/// Another separator than the comma can be chosen.
///
/// A cell knows whether it was quoted: an empty one is a text if it was quoted, else null.
struct CSVReader {
  struct Cell {
    var text: String
    var isQuoted: Bool
    var position: TextPosition

    var isNull: Bool { text.isEmpty && !isQuoted }
  }

  private var source: ByteSource
  private let separator: UInt8

  init(path: String, separator: UInt8 = UInt8(ascii: ",")) throws {
    source = try ByteSource(path: path)
    self.separator = separator
  }

  /// The number of bytes read.
  var offset: Int { source.offset }

  func failure(_ message: String) -> ExchangeError { ExchangeError(message, at: source.position, in: source.file) }

  /// The next record; nil at the end of the file. An empty line is a record of one null.
  mutating func record() throws -> [Cell]? {
    guard try source.peek() != nil else { return nil }
    var cells: [Cell] = []
    while true {
      cells.append(try cell())
      switch try source.peek() {
      case separator: source.skip()
      case 0x0D:
        source.skip()
        if try source.peek() == 0x0A { source.skip() }
        return cells
      case 0x0A:
        source.skip()
        return cells
      default: return cells
      }
    }
  }

  private var separatorName: String {
    switch separator {
    case UInt8(ascii: ","): "a comma"
    case UInt8(ascii: ";"): "a semicolon"
    default: "a tab"
    }
  }

  /// The separator of a file of another program: the comma, unless the first line has none and has semicolons or tabs.
  static func separator(of path: String) throws -> UInt8 {
    var source = try ByteSource(path: path)
    var counts: [UInt8: Int] = [:]
    var isInQuotes = false
    while let byte = try source.peek(), isInQuotes || (byte != 0x0A && byte != 0x0D), source.offset < 1 << 16 {
      if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
      if !isInQuotes { counts[byte, default: 0] += 1 }
      source.skip()
    }
    if counts[UInt8(ascii: ",")] != nil { return UInt8(ascii: ",") }
    if counts[0x09] != nil { return 0x09 }
    return counts[UInt8(ascii: ";")] != nil ? UInt8(ascii: ";") : UInt8(ascii: ",")
  }

  private mutating func cell() throws -> Cell {
    let position = source.position
    var bytes: [UInt8] = []
    let isQuoted = try source.peek() == UInt8(ascii: "\"")
    if isQuoted {
      source.skip()
      while true {
        guard let byte = try source.peek() else {
          throw ExchangeError("a quote does not end.", at: position, in: source.file)
        }
        source.skip()
        if byte == UInt8(ascii: "\"") {
          guard try source.peek() == byte else { break }
          source.skip()
        }
        bytes.append(byte)
      }
      if let byte = try source.peek(), byte != separator, byte != 0x0D, byte != 0x0A {
        throw failure("expected \(separatorName) or the end of the line after a quoted value.")
      }
    } else {
      while let byte = try source.peek(), byte != separator, byte != 0x0D, byte != 0x0A {
        guard byte != UInt8(ascii: "\"") else { throw failure("a value that holds quotes must be quoted itself.") }
        bytes.append(byte)
        source.skip()
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ExchangeError("the text is no valid UTF-8; convert the file with iconv.", at: position, in: source.file)
    }
    return Cell(text: text, isQuoted: isQuoted, position: position)
  }
}

enum CSVText {
  /// A line of cells; nil is null.
  static func line(_ cells: [String?]) -> String {
    let line = cells.map { $0.map(cell) ?? "" }.joined(separator: ",")
    return line + "\r\n"
  }

  private static func cell(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ")
      || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return text }
    return "\"" + text.replacingQuotes() + "\""
  }
}

extension String {
  fileprivate func replacingQuotes() -> String {
    String(decoding: utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }, as: UTF8.self)
  }
}
