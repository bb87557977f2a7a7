import Cryptography

/// Seals rows of the directory: 16 bytes of an HMAC-SHA-256 over the table's name and all columns, the key's included, with a
/// key that lies outside of the database. A changed row, and one under another's key, has no valid seal.
///
/// A seal costs a hash of some hundred bytes. Not `Sendable`, as the database that it belongs to.
struct DirectorySeal {
  static let byteCount = 16

  private let mac: HMACSHA256

  init(key: [UInt8]) throws { mac = try HMACSHA256(key: key) }

  /// The seal of a row that is to be written.
  func seal(_ table: String, _ values: [DirectoryValue]) -> [UInt8] { seal(table, values[...]) }

  private func seal(_ table: String, _ values: ArraySlice<DirectoryValue>) -> [UInt8] {
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

  /// A row that was read with its seal in the last cell, and whether the seal is that of its values.
  func open(_ table: String, _ cells: [DirectoryValue]) -> (row: DirectoryRow, seal: [UInt8], isWhole: Bool) {
    let row = DirectoryRow(cells: cells)
    guard case .blob(let bytes) = cells.last else { return (row, [], false) }
    return (row, bytes, ConstantTime.areEqual(bytes, seal(table, cells.dropLast())))
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
