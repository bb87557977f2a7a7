public import DataModel
public import FoundationEssentials

/// An update of a field that is set to one plain value, as it stands in the bytes of a changeset: what most instructions
/// are. Nothing is made of it, so that it costs little more than its bytes.
public struct CellUpdate: Sendable {
  /// The field, as the number of its name; see ``ChangesetReader/text(_:)``.
  public let field: Int
  public let value: CellValue
}

/// A plain value, without references.
public enum CellValue: Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  /// UTF-8 at these positions.
  case string(Range<Int>)
  /// Bytes at these positions.
  case data(Range<Int>)
  case timestamp(Timestamp)
  case float(UInt32)
  case double(UInt64)
  case decimal128(Decimal128)
  case objectId(ObjectId)
  case uuid(UUID)
}

extension Payload {
  /// Calls `body` with a plain value and the bytes in which the positions of a text or of binary lie; gives nil for
  /// everything else.
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
