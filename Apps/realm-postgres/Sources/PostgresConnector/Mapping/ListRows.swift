import ByteCoding
import Cryptography

/// The rows of a list or an embedded object in a table beside, as the connector writes them.
enum ListRows {
  /// The changes that make the rows of a table the wanted ones.
  struct Difference: Equatable {
    /// The `idx` of the rows that go.
    var gone: [Int] = []
    /// The rows that come, with their `idx`.
    var new: [(index: Int, texts: [String?])] = []

    static func == (left: Difference, right: Difference) -> Bool {
      left.gone == right.gone && left.new.map(\.index) == right.new.map(\.index)
        && left.new.map(\.texts) == right.new.map(\.texts)
    }
  }

  /// The difference between rows and elements. Rows at the beginning and at the end that are the same stay with their `idx`, as far as
  /// there is place between them: an element that is added at the end is one row, however long the list is.
  ///
  /// - Parameter rows: the present ones, by `idx`.
  /// - Complexity: O(*n*)
  static func difference(_ rows: [(index: Int, texts: [String?])], _ elements: [[String?]]) -> Difference {
    let most = min(rows.count, elements.count)
    var head = 0
    while head < most, rows[head].texts == elements[head] { head += 1 }
    var tail = 0
    while tail < most - head, rows[rows.count - 1 - tail].texts == elements[elements.count - 1 - tail] { tail += 1 }
    let first = head > 0 ? rows[head - 1].index + 1 : 0
    if tail > 0, rows[rows.count - tail].index - first < elements.count - head - tail { tail = 0 }
    return Difference(
      gone: rows[head..<rows.count - tail].map(\.index),
      new: elements[head..<elements.count - tail].enumerated().map { (first + $0, $1) })
  }

  /// The SHA-256 of rows, as hexadecimal digits.
  static func digest(_ rows: [[String?]]) -> String {
    var bytes: [UInt8] = []
    for row in rows {
      for text in row {
        // Bytes that UTF-8 never has tell NULL from a text, and a text from the next one.
        bytes.append(text == nil ? 0xFF : 0xFE)
        bytes += (text ?? "").utf8
      }
      bytes.append(0xFD)
    }
    return hexText(Digest.sha256.hash(bytes))
  }
}
