import ByteCoding
import DataModel

extension ChangesetWriter {
  /// Defines the string of a key.
  mutating func prepare(_ key: ObjectKey) {
    if case .string(let text) = key { _ = intern(text) }
  }

  /// Defines the strings of a record, then writes its code and target.
  mutating func begin(
    _ code: InstructionCode, _ table: InternedString, _ key: ObjectKey, _ field: InternedString,
    _ path: [PathElement], _ payload: Payload?
  ) {
    prepare(key)
    for case .name(let name) in path { _ = intern(name) }
    if case .link(let reference) = payload {
      _ = intern(reference.className)
      prepare(reference.key)
    }
    begin(code)
    write(table)
    write(key)
    write(field)
    body.writeVarint(path.count)
    for element in path {
      switch element {
      case .index(let index): body.writeVarint(index)
      case .name(let name):
        body.writeVarint(-1)
        write(intern(name))
      }
    }
  }

  mutating func write(_ string: InternedString) { body.writeVarint(string.index) }

  mutating func write(_ flag: Bool) { body.writeByte(flag ? 1 : 0) }

  mutating func write(_ key: ObjectKey) {
    if case .string(let text) = key {
      body.writeVarint(ObjectKeyType.string.rawValue)
      write(intern(text))
    } else {
      body.write(key)
    }
  }

  mutating func write(_ payload: Payload) {
    body.writeVarint(payload.type.rawValue)
    switch payload {
    case .null, .objectValue, .dictionary, .erased, .list, .set: break
    case .int(let value): body.writeVarint(value)
    case .bool(let value): write(value)
    case .string(let value): body.writeString(value)
    case .data(let value):
      body.writeVarint(value.count)
      body.writeBytes(value)
    case .timestamp(let value):
      body.writeVarint(value.seconds)
      body.writeVarint(value.nanoseconds)
    case .float(let bits): body.writeLittleEndian(bits)
    case .double(let bits): body.writeLittleEndian(bits)
    case .decimal128(let value): body.write(value)
    case .link(let reference):
      write(intern(reference.className))
      write(reference.key)
    case .objectId(let value): body.writeBytes(value.bytes)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { body.writeBytes($0) }
    }
  }
}

extension ByteWriter {
  /// Writes a key with its type code; a text follows in place.
  mutating func write(_ key: ObjectKey) {
    switch key {
    case .null: writeVarint(ObjectKeyType.null.rawValue)
    case .int(let value):
      writeVarint(ObjectKeyType.int.rawValue)
      writeVarint(value)
    case .string(let text):
      writeVarint(ObjectKeyType.string.rawValue)
      writeString(text)
    case .objectId(let value):
      writeVarint(ObjectKeyType.objectId.rawValue)
      writeBytes(value.bytes)
    case .uuid(let value):
      writeVarint(ObjectKeyType.uuid.rawValue)
      withUnsafeBytes(of: value.uuid) { writeBytes($0) }
    case .global(let key):
      writeVarint(ObjectKeyType.global.rawValue)
      writeVarint(key.high)
      writeVarint(key.low)
    }
  }

  /// Writes the fields of a decimal: coefficient in groups of seven bits, unbiased exponent, sign.
  mutating func write(_ decimal: Decimal128) {
    var rest = decimal.coefficient
    while rest >= 64 {
      writeByte(0x80 | UInt8(truncatingIfNeeded: rest & 0x7F))
      rest >>= 7
    }
    writeByte(UInt8(truncatingIfNeeded: rest))
    writeVarint(Int64(decimal.high >> 49 & 0x3FFF) - Decimal128.storedExponentBias)
    writeByte(decimal.isNegative ? 1 : 0)
  }
}
