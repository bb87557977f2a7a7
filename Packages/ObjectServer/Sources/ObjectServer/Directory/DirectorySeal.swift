import Cryptography
import SQLiteDatabase

/// Seals rows of the directory: 16 bytes of an HMAC-SHA-256 over the table's name and all columns, the key's included, with a
/// key that lies outside of the database. A changed row, and one under another's key, has no valid seal.
///
/// A seal costs a hash of some hundred bytes. Not `Sendable`, as the database that it belongs to.
struct DirectorySeal {
  static let byteCount = 16

  private let mac: HMACSHA256

  init(key: [UInt8]) throws { mac = try HMACSHA256(key: key) }

  /// The seal of a row that is to be written.
  func seal(_ table: String, _ values: [DirectoryValue]) -> [UInt8] {
    var message = Self.head(table)
    for value in values {
      switch value {
      case .text(nil), .integer(nil): message.append(0)
      case .integer(let number?): Self.append(number, to: &message)
      case .text(let text?):
        var text = text
        text.withUTF8 { Self.append(2, UnsafeRawBufferPointer($0), to: &message) }
      case .blob(let bytes): bytes.withUnsafeBytes { Self.append(3, $0, to: &message) }
      }
    }
    return finish(message)
  }

  /// The row at which a statement stands, and whether the column behind its last one holds its seal.
  func open(_ table: String, _ statement: SQLiteStatement, count: Int) -> (
    row: DirectoryRow, seal: [UInt8], isWhole: Bool
  ) {
    var message = Self.head(table)
    var values: [DirectoryValue] = []
    values.reserveCapacity(count)
    for column in 0..<count {
      switch statement.storageClass(at: column) {
      case .null:
        message.append(0)
        values.append(.text(nil))
      case .integer:
        Self.append(statement.int(at: column), to: &message)
        values.append(.integer(statement.int(at: column)))
      case .text:
        statement.withBytes(at: column) {
          Self.append(2, $0, to: &message)
          values.append(.text(String(decoding: $0, as: UTF8.self)))
        }
      case .blob, .real:
        statement.withBytes(at: column) {
          Self.append(3, $0, to: &message)
          values.append(.blob(Array($0)))
        }
      }
    }
    let seal = statement.bytes(at: count)
    let isWhole = statement.storageClass(at: count) == .blob && ConstantTime.areEqual(seal, finish(message))
    return (DirectoryRow(values: values), seal, isWhole)
  }

  private func finish(_ message: [UInt8]) -> [UInt8] { Array(mac.tag(for: message).prefix(Self.byteCount)) }

  private static func head(_ table: String) -> [UInt8] {
    var message = Array(table.utf8)
    message.append(0)
    return message
  }

  private static func append(_ number: Int64, to message: inout [UInt8]) {
    message.append(1)
    withUnsafeBytes(of: number.littleEndian) { message.append(contentsOf: $0) }
  }

  private static func append(_ tag: UInt8, _ bytes: UnsafeRawBufferPointer, to message: inout [UInt8]) {
    message.append(tag)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).littleEndian) { message.append(contentsOf: $0) }
    message.append(contentsOf: bytes)
  }
}

/// The number of rows of a table and the sum of their seals: detects removed rows, and rows replaced by earlier versions.
struct DirectorySum: Hashable {
  var count: Int64 = 0
  var sum: UInt128 = 0

  mutating func add(_ seal: [UInt8]) {
    count += 1
    sum &+= Self.number(seal)
  }

  mutating func remove(_ seal: [UInt8]) {
    count -= 1
    sum &-= Self.number(seal)
  }

  /// As it is stored.
  func values(_ table: DirectoryTable) -> [DirectoryValue] {
    [.text(table.rawValue), .integer(count), .blob(withUnsafeBytes(of: sum.littleEndian) { Array($0) })]
  }

  init() {}

  init?(_ row: DirectoryRow) {
    guard let count = row.integer(1), case .blob(let bytes) = row.values[2] else { return nil }
    self.count = count
    sum = Self.number(bytes)
  }

  private static func number(_ bytes: [UInt8]) -> UInt128 {
    bytes.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) }
  }
}
