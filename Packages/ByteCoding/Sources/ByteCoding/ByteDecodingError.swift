/// The reason for which bytes could not be read, with their position.
///
/// Every case carries the byte position, counted from the start of the whole input, at which the
/// offending item begins.
public enum ByteDecodingError: Error, Equatable, Sendable {
  /// The input ends `missing` bytes too early for the item that begins at `at`.
  case truncated(at: Int, missing: Int)
  /// A variable-length integer does not fit the type that was asked for.
  case integerOutOfRange(at: Int)
  /// A length field at `at` promises more than is allowed or more than is there.
  case lengthTooLarge(UInt64, limit: UInt64, at: Int)
  /// A string that begins at `at` is not UTF-8.
  case invalidUTF8(at: Int)
  /// A byte that must be one of a small set of values is not.
  case unexpectedByte(UInt8, at: Int)

  /// The byte position at which the offending item begins.
  public var position: Int {
    switch self {
    case .truncated(let at, _), .integerOutOfRange(let at), .lengthTooLarge(_, _, let at),
      .invalidUTF8(let at), .unexpectedByte(_, let at):
      return at
    }
  }
}

extension ByteDecodingError: CustomStringConvertible {
  /// Position and reason: `byte 7: text is not UTF-8`.
  public var description: String {
    switch self {
    case .truncated(let at, let missing): "byte \(at): input ends \(missing) byte(s) too early"
    case .integerOutOfRange(let at): "byte \(at): integer does not fit its type"
    case .lengthTooLarge(let length, let limit, let at):
      "byte \(at): length \(length) exceeds the limit \(limit)"
    case .invalidUTF8(let at): "byte \(at): text is not UTF-8"
    case .unexpectedByte(let byte, let at): "byte \(at): unexpected value \(byte)"
    }
  }
}
