import DataExchange
import DataModel
import GraphQL
import QueryLanguage

/// The values of one property, written from the arrays of clusters.
// @unchecked Sendable: used by one request, which runs on one thread.
final class ScalarColumn: LeafColumn, @unchecked Sendable {
  private let batch: RowBatch
  private let field: FieldModel
  private var current = -1
  private var cluster: (any QueryCluster)?
  private var view = ColumnView.generic

  init(_ batch: RowBatch, _ field: FieldModel) {
    self.batch = batch
    self.field = field
  }

  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool {
    let place = batch.places[position]
    if place.cluster != current || cluster == nil {
      let next = try batch.table.cluster(at: place.cluster)
      view = try next.column(field.position)
      cluster = next
      current = place.cluster
    }
    let slot = place.slot
    if let nulls = view.nulls, nulls.load(fromByteOffset: slot >> 3, as: UInt8.self) >> UInt8(slot & 7) & 1 == 1 {
      return null(&writer)
    }
    switch view.layout {
    case .allNull: return null(&writer)
    case .int64(let values): writer.write(values.loadUnaligned(fromByteOffset: slot * 8, as: Int64.self))
    case .bits(let bits): writer.write(bits.load(fromByteOffset: slot >> 3, as: UInt8.self) >> UInt8(slot & 7) & 1 == 1)
    case .double(let values):
      try RealmJSON.write(values.loadUnaligned(fromByteOffset: slot * 8, as: Double.self), to: &writer)
    case .float(let values):
      try RealmJSON.write(values.loadUnaligned(fromByteOffset: slot * 4, as: Float.self), to: &writer)
    case .ranges(let ranges, let bytes) where field.property.type == .string:
      let start = Int(ranges.loadUnaligned(fromByteOffset: slot * 8, as: UInt32.self))
      let length = Int(ranges.loadUnaligned(fromByteOffset: slot * 8 + 4, as: UInt32.self))
      writer.write(utf8: UnsafeRawBufferPointer(start: bytes + start, count: length))
    case .ranges, .timestamps, .fixed, .links, .generic:
      guard let cluster else { return null(&writer) }
      return try RealmJSON.write(
        try cluster.value(of: field.position, slot: slot), field.property.type, batch.reading.codec, to: &writer)
    }
    return true
  }

  private func null(_ writer: inout JSONWriter) -> Bool {
    writer.writeNull()
    return false
  }
}

/// The elements of a list or a set of values; a set in the order of its values.
final class CollectionColumn: LeafColumn, @unchecked Sendable {
  private let batch: RowBatch
  private let field: FieldModel

  init(_ batch: RowBatch, _ field: FieldModel) {
    self.batch = batch
    self.field = field
  }

  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool {
    let place = batch.places[position]
    guard
      case .list(var values) = try batch.table.cluster(at: place.cluster).value(
        of: field.position, slot: place.slot)
    else {
      writer.raw("[]")
      return true
    }
    if field.property.collection == .set { values.sort { $0.compareInSortOrder($1) < 0 } }
    writer.raw("[")
    for (index, value) in values.enumerated() {
      if index > 0 { writer.raw(",") }
      _ = try RealmJSON.write(value, field.property.type, batch.reading.codec, to: &writer)
    }
    writer.raw("]")
    return true
  }
}

/// The names of objects of a class without primary key.
final class KeyColumn: LeafColumn, @unchecked Sendable {
  private let batch: RowBatch

  init(_ batch: RowBatch) { self.batch = batch }

  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool {
    guard let key = try batch.table.table.objectKey(of: batch.rows[position]), let text = KeyText.text(key) else {
      writer.writeNull()
      return false
    }
    writer.write(text)
    return true
  }
}

/// Values of a realm as JSON.
enum RealmJSON {
  /// Writes a value whose type is that of its property, and answers whether it is not null.
  static func write(
    _ value: Value, _ type: PropertyType, _ codec: JSONCodec, to writer: inout JSONWriter
  ) throws -> Bool {
    switch value {
    case .null:
      writer.writeNull()
      return false
    case _ where type == .any: writer.raw(codec.mixed(value))
    case .int(let number): writer.write(number)
    case .bool(let flag): writer.write(flag)
    case .string(let text): writer.write(text)
    case .double(let number): try write(number, to: &writer)
    case .float(let number): try write(number, to: &writer)
    case .data, .timestamp, .decimal128, .objectId, .uuid: writer.write(ScalarText.text(value) ?? "")
    case .link, .list, .dictionary: writer.raw(codec.mixed(value))
    }
    return true
  }

  static func write<T: BinaryFloatingPoint & LosslessStringConvertible>(
    _ number: T, to writer: inout JSONWriter
  ) throws {
    guard number.isFinite else {
      throw GraphQLError("The value is \(number), which JSON does not have.", code: "NOT_FINITE")
    }
    writer.raw("\(number)")
  }
}
