import ByteCoding
import DataModel
import FoundationEssentials

extension ChangesetReader {
  /// The object that an instruction addresses.
  mutating func addressedObject() throws(ChangesetDecodingError) -> ObjectReference {
    // Equal bytes name the same object: definitions never change within a changeset.
    if let lastObject, input.skipRepetition(of: lastObject.bytes) { return lastObject.reference }
    let start = position
    let object = try objectReference()
    lastObject = (object, start..<position)
    return object
  }

  private mutating func objectReference() throws(ChangesetDecodingError) -> ObjectReference {
    let table = try internedString()
    return ObjectReference(className: table, key: try objectKey())
  }

  mutating func keyType() throws(ChangesetDecodingError) -> ObjectKeyType {
    let start = position
    let code = try integer(Int64.self)
    guard let type = Int8(exactly: code).flatMap(ObjectKeyType.init(rawValue:)) else {
      throw failure(.unknownKeyType(code: code), at: start)
    }
    return type
  }

  /// A key: type code and value. Texts are interned, except in ``DataModel/ObjectKey/encodedText``.
  mutating func objectKey(inlineStrings: Bool = false) throws(ChangesetDecodingError) -> ObjectKey {
    switch try keyType() {
    case .null: return .null
    case .int: return .int(try integer(Int64.self))
    case .string: return .string(inlineStrings ? try inlineString() : try internedString())
    case .objectId: return .objectId(try objectId())
    case .uuid: return .uuid(try uuid())
    case .global:
      let high = try integer(UInt64.self)
      return .global(GlobalKey(high: high, low: try integer(UInt64.self)))
    }
  }

  /// A payload: type code and value.
  mutating func payload() throws(ChangesetDecodingError) -> Payload {
    let start = position
    let code = try integer(Int64.self)
    guard let type = Int8(exactly: code).flatMap(PayloadType.init(rawValue:)) else {
      throw failure(.unknownPayloadType(code: code), at: start)
    }
    switch type {
    case .null: return .null
    case .int: return .int(try integer(Int64.self))
    case .bool: return .bool(try boolean())
    case .string: return .string(try inlineString())
    case .data: return .data(try data())
    case .timestamp: return .timestamp(try timestamp())
    case .float: return .float(try littleEndian(UInt32.self))
    case .double: return .double(try littleEndian(UInt64.self))
    case .decimal128: return .decimal128(try decimal())
    case .link: return .link(try objectReference())
    case .objectId: return .objectId(try objectId())
    case .uuid: return .uuid(try uuid())
    case .objectValue: return .objectValue
    case .dictionary: return .dictionary
    case .erased: return .erased
    case .list: return .list
    case .set: return .set
    }
  }

  mutating func littleEndian<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
    do { return try input.readLittleEndian(type) } catch { throw failure(error) }
  }

  private mutating func data() throws(ChangesetDecodingError) -> [UInt8] {
    do { return try input.readBytes(try input.readLength(limit: Self.valueLimit)) } catch { throw failure(error) }
  }

  mutating func objectId() throws(ChangesetDecodingError) -> ObjectId {
    ObjectId(bytes: try rawBytes(12)) ?? .zero
  }

  mutating func uuid() throws(ChangesetDecodingError) -> UUID {
    let raw = Array(try rawBytes(16))
    return UUID(
      uuid: (
        raw[0], raw[1], raw[2], raw[3], raw[4], raw[5], raw[6], raw[7],
        raw[8], raw[9], raw[10], raw[11], raw[12], raw[13], raw[14], raw[15]
      ))
  }

  mutating func timestamp() throws(ChangesetDecodingError) -> Timestamp {
    let start = position
    let seconds = try integer(Int64.self)
    let nanoseconds = try integer(Int32.self)
    guard let timestamp = Timestamp(validating: seconds, nanoseconds: nanoseconds) else {
      throw failure(.invalidTimestamp, at: start)
    }
    return timestamp
  }

  /// Coefficient of at most 113 bits in groups of seven, unbiased exponent, sign.
  ///
  /// The last group of the coefficient has no sign bit: a reader takes all seven bits of it.
  mutating func decimal() throws(ChangesetDecodingError) -> Decimal128 {
    let start = position
    var coefficient: UInt128 = 0
    var shift: UInt128 = 0
    while true {
      guard let byte = try rawBytes(1).first, shift <= 112 else { throw failure(.invalidDecimal, at: start) }
      coefficient |= UInt128(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    let exponent = try integer(Int64.self)
    let isNegative = try boolean()
    guard coefficient >> 113 == 0, let decimal = Decimal128(fields: coefficient, exponent, isNegative) else {
      throw failure(.invalidDecimal, at: start)
    }
    return decimal
  }
}

extension Decimal128 {
  /// The stored exponent field minus the true exponent.
  static let storedExponentBias: Int64 = 6176

  /// The number of these bit fields, infinities and NaNs included: the exponent field has 14 bits.
  init?(fields coefficient: UInt128, _ exponent: Int64, _ isNegative: Bool) {
    guard exponent >= -Self.storedExponentBias, exponent <= 0x3FFF - Self.storedExponentBias else { return nil }
    let biased = UInt128(UInt64(exponent + Self.storedExponentBias))
    let bits = UInt128(isNegative ? 1 : 0) << 127 | biased << 113 | coefficient
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }
}
