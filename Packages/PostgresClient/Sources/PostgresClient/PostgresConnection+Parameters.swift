import CLibPQ
import Foundation

/// A parameter of a statement.
public enum PostgresParameter: Hashable, Sendable {
  /// A text that PostgreSQL reads as the type that stands there; it has no zero byte.
  case text(String)
  /// Bytes for a `bytea`, sent as they are.
  case bytes([UInt8])
  /// NULL.
  case null

  /// A number.
  public static func integer(_ value: Int64) -> PostgresParameter { .text(String(value)) }
}

extension PostgresConnection {
  /// Runs one statement whose parameters may be bytes.
  ///
  ///     try connection.query("INSERT INTO photo(id, content) VALUES ($1, $2)", parameters: [.integer(7), .bytes(jpeg)])
  ///
  /// - Parameter parameters: the values of `$1`, `$2`, …
  /// - Throws: ``PostgresError``.
  @discardableResult
  public func query(_ statement: String, parameters: [PostgresParameter]) throws -> PostgresResult {
    willSend?(statement)
    return try sending(parameters) { values, lengths, formats in
      PQexecParams(handle, statement, Int32(values.count), nil, values, lengths, formats, 0)
    }
  }

  /// Runs a statement that is parsed and planned when this connection runs it for the first time, and then kept under a name.
  ///
  /// - Parameters:
  ///   - name: of this statement alone.
  ///   - parameters: the values of `$1`, `$2`, …
  /// - Throws: ``PostgresError``.
  @discardableResult
  public func query(
    prepared name: String, _ statement: String, parameters: [PostgresParameter]
  ) throws -> PostgresResult {
    willSend?(statement)
    if !preparedNames.contains(name) {
      _ = try checked(PQprepare(handle, name, statement, Int32(parameters.count), nil))
      preparedNames.insert(name)
    }
    return try sending(parameters) { values, lengths, formats in
      PQexecPrepared(handle, name, Int32(values.count), values, lengths, formats, 0)
    }
  }

  private func sending(
    _ parameters: [PostgresParameter],
    _ send: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> OpaquePointer?
  ) throws -> PostgresResult {
    var storage: [UnsafeMutableRawPointer?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    defer { for pointer in storage { pointer?.deallocate() } }
    for parameter in parameters {
      let (bytes, isBinary): ([UInt8]?, Bool) =
        switch parameter {
        case .text(let text): (Array(text.utf8) + [0], false)
        case .bytes(let bytes): (bytes, true)
        case .null: (nil, false)
        }
      storage.append(
        bytes.map { bytes in
          let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
          copy.copyMemory(from: bytes, byteCount: bytes.count)
          return copy
        })
      lengths.append(Int32(clamping: bytes?.count ?? 0))
      formats.append(isBinary ? 1 : 0)
    }
    return try checked(
      send(storage.map { $0.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) } }, lengths, formats))
  }
}

extension PostgresResult {
  /// The bytes of a `bytea`; nil for NULL, and outside of the rows and columns that there are.
  public func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    guard let text = value(row, column), strncmp(text, "\\x", 2) == 0 else { return nil }
    var count = 0
    let encoded = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
    guard let bytes = PQunescapeBytea(encoded, &count) else { return nil }
    defer { PQfreemem(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// A number; nil for NULL, for what is none, and outside of the rows and columns that there are.
  public func integer(_ row: Int, _ column: Int) -> Int64? { self[row, column].flatMap { Int64($0) } }
}
