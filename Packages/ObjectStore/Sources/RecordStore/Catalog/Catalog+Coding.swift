import ByteCoding
import ChangesetOT
import DataModel
import StorageEngine

// The catalog's record in the snapshot: a format number, then
//
//   revision, schema version, unresolved?, classes
//   class   name, table, kind, key?, fields
//   key     field?, type, nullable, index, global column?
//   field   name, column, type, collection, nullable, target?, index?, backlinks?, repeats?
//
// Optional numbers are written plus one, so that 0 means none.

extension Catalog {
  static let recordName = "catalog"
  private static let format: UInt8 = 1

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeByte(Self.format)
    writer.writeVarint(revision)
    writer.writeVarint(schemaVersion)
    writer.writeOptional(unresolved?.table.rawValue)
    if let unresolved {
      writer.writeVarint(unresolved.classColumn.rawValue)
      writer.writeVarint(unresolved.keyColumn.rawValue)
      writer.writeVarint(unresolved.index.rawValue)
    }
    writer.writeVarint(classes.count)
    for layout in classes { writer.write(layout) }
    return writer.bytes
  }

  convenience init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    guard try reader.readByte() == Self.format else { throw ByteDecodingError.unexpectedByte(bytes[0], at: 0) }
    let revision = try reader.readVarint(UInt64.self)
    let schemaVersion = try reader.readVarint(UInt64.self)
    var unresolved: UnresolvedLayout?
    if let table = try reader.readOptional() {
      unresolved = UnresolvedLayout(
        table: TableID(table), classColumn: ColumnID(try reader.readVarint()),
        keyColumn: ColumnID(try reader.readVarint()), index: IndexID(try reader.readVarint()))
    }
    let count = try reader.readCount()
    var classes: [ClassLayout] = []
    for _ in 0..<count { classes.append(try reader.readClass()) }
    self.init(revision: revision, schemaVersion: schemaVersion, classes: classes, unresolved: unresolved)
  }
}

extension ByteWriter {
  fileprivate mutating func writeOptional(_ number: Int?) { writeVarint(number.map { $0 + 1 } ?? 0) }

  fileprivate mutating func write(_ layout: ClassLayout) {
    writeString(layout.name)
    writeVarint(layout.table.rawValue)
    writeByte(layout.kind.rawValue)
    writeByte(layout.key == nil ? 0 : 1)
    if let key = layout.key {
      writeOptional(key.field)
      writeVarint(key.type.rawValue)
      writeByte(key.isNullable ? 1 : 0)
      writeVarint(key.index.rawValue)
      writeOptional(key.globalColumn?.rawValue)
    }
    writeVarint(layout.fields.count)
    for field in layout.fields { write(field) }
  }

  private mutating func write(_ field: FieldLayout) {
    writeString(field.name)
    writeVarint(field.column.rawValue)
    writeVarint(field.type.rawValue)
    writeByte(field.collection.rawValue)
    writeByte(field.isNullable ? 1 : 0)
    writeByte(field.target == nil ? 0 : 1)
    if let target = field.target { writeString(target) }
    writeOptional(field.index?.rawValue)
    writeOptional(field.backlinks?.rawValue)
    writeOptional(field.repeats?.rawValue)
  }
}

extension ByteReader {
  fileprivate mutating func readOptional() throws -> Int? {
    let number = try readVarint(Int.self)
    return number > 0 ? number - 1 : nil
  }

  /// The number of items that follow, each of at least one byte.
  mutating func readCount() throws -> Int {
    let start = position
    let count = try readVarint(Int.self)
    guard count >= 0, count <= remaining else { throw ByteDecodingError.integerOutOfRange(at: start) }
    return count
  }

  private mutating func readFlag() throws -> Bool { try readByte() != 0 }

  private mutating func read<T: RawRepresentable>(_ type: T.Type) throws -> T where T.RawValue: FixedWidthInteger {
    let start = position
    let number = try readVarint(T.RawValue.self)
    guard let value = T(rawValue: number) else { throw ByteDecodingError.integerOutOfRange(at: start) }
    return value
  }

  fileprivate mutating func readClass() throws -> ClassLayout {
    let name = try readString()
    let table = TableID(try readVarint())
    let kind = try read(ObjectKind.self)
    var key: KeyLayout?
    if try readFlag() {
      key = KeyLayout(
        field: try readOptional(), type: try read(ObjectKeyType.self), isNullable: try readFlag(),
        index: IndexID(try readVarint()), globalColumn: try readOptional().map { ColumnID($0) })
    }
    let count = try readCount()
    var fields: [FieldLayout] = []
    for _ in 0..<count { fields.append(try readField()) }
    if let number = key?.field, !fields.indices.contains(number) {
      throw ByteDecodingError.integerOutOfRange(at: position)
    }
    return ClassLayout(name: name, table: table, kind: kind, key: key, fields: fields)
  }

  private mutating func readField() throws -> FieldLayout {
    FieldLayout(
      name: try readString(), column: ColumnID(try readVarint()), type: try read(PropertyType.self),
      collection: try read(CollectionKind.self), isNullable: try readFlag(),
      target: try readFlag() ? try readString() : nil, index: try readOptional().map { IndexID($0) },
      backlinks: try readOptional().map { IndexID($0) }, repeats: try readOptional().map { IndexID($0) })
  }
}
