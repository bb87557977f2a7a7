/// The records of a CSV file, by RFC 4180: fields between delimiters, quoted ones may hold delimiters, doubled
/// quotes and line breaks.
///
/// A quote that nothing closes is taken as it stands, so that it does not swallow the rest of the file.
struct CSVRecords {
  /// A record, and the line on which it begins.
  struct Record: Equatable {
    var line: Int
    var fields: [String]
  }

  private(set) var records: [Record] = []
  private(set) var problems: [ImportProblem] = []

  private let bytes: [UInt8]
  private let delimiter: UInt8
  private var position = 0
  private var line = 1
  private var unclosedQuotes = 0

  init(_ lines: [FileText.Line], delimiter: UInt8? = nil) {
    bytes = Array(lines.map(\.text).joined(separator: "\n").utf8)
    self.delimiter = delimiter ?? Self.delimiter(of: lines.first?.text ?? "")
    while position < bytes.count { readRecord() }
  }

  /// The delimiter that the first line uses most: comma, semicolon or tab.
  private static func delimiter(of line: String) -> UInt8 {
    let candidates: [UInt8] = [0x2C, 0x3B, 0x09]
    let counts = candidates.map { candidate in line.utf8.count { $0 == candidate } }
    let most = counts.max() ?? 0
    return zip(candidates, counts).first { $0.1 == most }?.0 ?? 0x2C
  }

  private mutating func readRecord() {
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(readField())
      guard position < bytes.count, bytes[position] == delimiter else { break }
      position += 1
    }
    if position < bytes.count {
      position += 1
      line += 1
    }
    if record.fields != [""] { records.append(record) }
  }

  private mutating func readField() -> String {
    var field: [UInt8] = []
    if position < bytes.count, bytes[position] == 0x22, unclosedQuotes < 16 {
      if let end = closingQuote(from: position + 1) {
        field = unquoted(position + 1..<end)
        position = end + 1
      } else {
        unclosedQuotes += 1
        problems.append(
          ImportProblem(line: line, reason: "a quote is never closed; taken as it stands", isSkipped: false))
      }
    }
    let start = position
    while position < bytes.count, bytes[position] != delimiter, bytes[position] != 0x0A { position += 1 }
    return String(decoding: field + bytes[start..<position], as: UTF8.self)
  }

  private func closingQuote(from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == 0x22 {
        guard index + 1 < bytes.count, bytes[index + 1] == 0x22 else { return index }
        index += 1
      }
      index += 1
    }
    return nil
  }

  private mutating func unquoted(_ range: Range<Int>) -> [UInt8] {
    var field: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      field.append(bytes[index])
      if bytes[index] == 0x0A { line += 1 }
      index += bytes[index] == 0x22 ? 2 : 1
    }
    return field
  }
}
