/// The text that a document was read from; turns offsets into lines and columns.
public struct SourceText: Hashable, Sendable {
  /// The UTF-8 bytes.
  public let bytes: [UInt8]

  /// The text with these bytes, which are valid UTF-8.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The line and the column of an offset. Lines end at `\n`, `\r` and `\r\n`; columns count Unicode scalars.
  ///
  /// - Complexity: O(*n*) over the bytes before the offset; meant for errors.
  public func location(of offset: SourceOffset) -> SourceLocation {
    let end = min(Int(offset.bytes), bytes.count)
    var line = 1
    var column = 1
    for index in 0..<max(end, 0) {
      let byte = bytes[index]
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
        line += 1
        column = 1
      } else if byte == 0x0D {
        continue
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourceLocation(line: line, column: column)
  }
}

/// A place in a document: bytes before it.
public struct SourceOffset: Hashable, Comparable, Sendable {
  /// The number of bytes before the place.
  public var bytes: Int32

  /// The place after so many bytes.
  public init(_ bytes: Int) { self.bytes = Int32(clamping: bytes) }

  /// The place of nodes that no text was read for.
  public static let none = SourceOffset(0)

  /// Whether one place stands before another.
  public static func < (left: SourceOffset, right: SourceOffset) -> Bool { left.bytes < right.bytes }
}

/// A line and a column, both counted from 1, as the `locations` of an error give them.
public struct SourceLocation: Hashable, Comparable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  /// A location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Whether one location stands before another.
  public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
