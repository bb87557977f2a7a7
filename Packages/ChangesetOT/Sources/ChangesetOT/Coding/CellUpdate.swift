public import DataModel
public import FoundationEssentials

/// An update of a field to one plain value, as positions in the bytes of a changeset.
///
/// Most instructions are such updates. Reading one allocates nothing: no ``Instruction``, no `String`.
public struct CellUpdate: Sendable {
  /// The number of the name of the field; see ``ChangesetReader/text(_:)``.
  public let field: Int
  /// The new value.
  public let value: CellValue
}

/// A plain value; texts and binary data are positions in the bytes that accompany it.
public enum CellValue: Sendable {
  /// Null.
  case null
  /// A 64-bit integer.
  case int(Int64)
  /// A truth value.
  case bool(Bool)
  /// UTF-8 at these positions.
  case string(Range<Int>)
  /// Bytes at these positions.
  case data(Range<Int>)
  /// A point in time.
  case timestamp(Timestamp)
  /// The bit pattern of a float.
  case float(UInt32)
  /// The bit pattern of a double.
  case double(UInt64)
  /// A decimal of 128 bits.
  case decimal128(Decimal128)
  /// An ObjectId.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUID)
}

extension Payload {
  /// Calls `body` with the payload as a plain value, and with the bytes to which its positions refer.
  ///
  /// - Returns: the result of `body`; nil, without a call, for links and markers.
  /// - Throws: the error of `body`.
  public func withCell<Result>(_ body: (CellValue, UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
    let value: CellValue
    switch self {
    case .string(var text):
      return try text.withUTF8 { try body(.string(0..<$0.count), UnsafeRawBufferPointer($0)) }
    case .data(let bytes): return try bytes.withUnsafeBytes { try body(.data(0..<$0.count), $0) }
    case .null: value = .null
    case .int(let number): value = .int(number)
    case .bool(let flag): value = .bool(flag)
    case .timestamp(let time): value = .timestamp(time)
    case .float(let bits): value = .float(bits)
    case .double(let bits): value = .double(bits)
    case .decimal128(let number): value = .decimal128(number)
    case .objectId(let id): value = .objectId(id)
    case .uuid(let id): value = .uuid(id)
    case .link, .objectValue, .dictionary, .erased, .list, .set: return nil
    }
    return try body(value, UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
