/// The lines of a file of unknown origin, as valid text.
struct FileText: Equatable {
  /// A line, without its line break.
  struct Line: Equatable {
    /// Counted from 1.
    var number: Int
    var text: String
  }

  /// Longer lines are not imported, in bytes. A store takes texts of up to 16 MB.
  static let lineLimit = 4 << 20

  var lines: [Line] = []
  var problems: [ImportProblem] = []

  /// The position of a byte that no text has: a control character in a file that is neither UTF-8 without NUL nor UTF-16 with
  /// a mark. Nil for text, also in Latin-1. O(n).
  static func strayByte(in bytes: [UInt8]) -> Int? {
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    if !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil { return nil }
    return bytes.firstIndex { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
  }

  /// Decodes a file. LF, CRLF and CR end lines; a last empty line does not count.
  init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self.init(utf8: Array(Self.decodeUTF16(bytes).utf8)[...])
    } else {
      self.init(utf8: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
    }
  }

  private static func decodeUTF16(_ bytes: [UInt8]) -> String {
    let isLittleEndian = bytes[0] == 0xFF
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (low, high) = isLittleEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
      return UInt16(high) << 8 | UInt16(low)
    }
    return String(decoding: units, as: UTF16.self)
  }

  private init(utf8 bytes: ArraySlice<UInt8>) {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      add(bytes[start..<end])
      start = end + 1
      if end + 1 < bytes.endIndex, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { start += 1 }
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let number = lines.count + 1
    guard bytes.count <= Self.lineLimit else {
      lines.append(Line(number: number, text: ""))
      problems.append(
        ImportProblem(line: number, reason: "longer than 4 MiB (\(bytes.count) bytes)", isSkipped: true))
      return
    }
    var text: String
    if let valid = String(validating: bytes, as: UTF8.self) {
      text = valid
    } else {
      text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      problems.append(ImportProblem(line: number, reason: "not UTF-8; read as Latin-1", isSkipped: false))
    }
    if bytes.contains(0) {
      // U+2400 is the picture of NUL.
      text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{2400}" : $0 }))
      problems.append(ImportProblem(line: number, reason: "contains NUL, shown as \u{2400}", isSkipped: false))
    }
    lines.append(Line(number: number, text: text))
  }
}

extension ItemFields {
  /// Titles longer than this, in characters, are cut, and kept whole in the notes.
  static let titleLimit = 1_000

  /// Fields with a title of any length.
  init(anyTitle title: String) {
    if title.utf8.count > Self.titleLimit, title.count > Self.titleLimit {
      self.init(title: title.prefix(200) + "…", notes: title)
    } else {
      self.init(title: title)
    }
  }

  /// Adds a paragraph to the notes.
  mutating func addNote(_ text: String) {
    notes = notes.isEmpty ? text : notes + "\n" + text
  }
}
