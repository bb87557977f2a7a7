/// Reads the fields of a message; never beyond its end.
struct PgOutputReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var fault: PgOutputError { PgOutputError(position: position) }

  mutating func byte() throws(PgOutputError) -> UInt8 {
    guard position < bytes.count else { throw fault }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number(_ width: Int) throws(PgOutputError) -> UInt64 {
    guard bytes.count - position >= width else { throw fault }
    defer { position += width }
    return bytes[position..<position + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func text() throws(PgOutputError) -> String {
    guard let end = bytes[position...].firstIndex(of: 0) else { throw fault }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  mutating func counted() throws(PgOutputError) -> String {
    let count = Int(truncatingIfNeeded: try number(4))
    guard count >= 0, bytes.count - position >= count else { throw fault }
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  mutating func row() throws(PgOutputError) -> [PgColumnValue] {
    var row: [PgColumnValue] = []
    for _ in 0..<(try number(2)) {
      switch try byte() {
      case UInt8(ascii: "n"): row.append(.null)
      case UInt8(ascii: "u"): row.append(.unchanged)
      case UInt8(ascii: "t"): row.append(.text(try counted()))
      default: throw fault
      }
    }
    return row
  }
}
