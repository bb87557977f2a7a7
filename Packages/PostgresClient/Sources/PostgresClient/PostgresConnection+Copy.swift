import CLibPQ

// Rows in bulk.

extension PostgresConnection {
  /// Sends rows of `COPY … FROM STDIN`, in its text format.
  ///
  /// - Parameter body: sends portions of lines.
  /// - Throws: ``PostgresError``; the error of `body`, after which nothing is copied.
  public func copyIn(_ statement: String, _ body: (_ send: ([UInt8]) throws -> Void) throws -> Void) throws {
    willSend?(statement)
    _ = try checked(PQexec(handle, statement))
    do {
      try body { portion in
        let sent = portion.withUnsafeBytes { bytes in
          PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard sent == 1 else { throw lost() }
      }
    } catch {
      _ = PQputCopyEnd(handle, "given up")
      while let result = PQgetResult(handle) { PQclear(result) }
      throw error
    }
    guard PQputCopyEnd(handle, nil) == 1 else { throw lost() }
    var failure: (any Error)?
    while let result = PQgetResult(handle) {
      do { _ = try checked(result) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Adds a line of `COPY`.
  public static func addCopyLine(_ values: [String?], to lines: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { lines.append(UInt8(ascii: "\t")) }
      guard var value else {
        lines.append(UInt8(ascii: "\\"))
        lines.append(UInt8(ascii: "N"))
        continue
      }
      value.withUTF8 { bytes in
        for byte in bytes {
          switch byte {
          case UInt8(ascii: "\\"): lines.append(byte)
          case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): lines.append(UInt8(ascii: "\\"))
          case _: break
          }
          switch byte {
          case UInt8(ascii: "\n"): lines.append(UInt8(ascii: "n"))
          case UInt8(ascii: "\r"): lines.append(UInt8(ascii: "r"))
          case UInt8(ascii: "\t"): lines.append(UInt8(ascii: "t"))
          case _: lines.append(byte)
          }
        }
      }
    }
    lines.append(UInt8(ascii: "\n"))
  }
}
