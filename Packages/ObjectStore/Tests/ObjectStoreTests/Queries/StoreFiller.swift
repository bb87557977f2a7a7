import ChangesetOT
import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import StorageEngine

@testable import ObjectStore
@testable import RecordStore

/// Puts the objects of a ``MemorySource`` into a realm file, in the same order.
struct StoreFiller {
  let memory: MemorySource
  let session: WriteSession
  /// Whether properties that are declared as indexed get their index.
  let isIndexed: Bool
  /// The rows of each class, in the order of the objects.
  private(set) var rows: [String: [RowKey]] = [:]

  static func fill(_ file: RealmFile, from memory: MemorySource, isIndexed: Bool = true) throws -> [String: [RowKey]] {
    try file.write(isRecorded: false) { session in
      var filler = StoreFiller(memory: memory, session: session, isIndexed: isIndexed)
      try filler.declare()
      try filler.create()
      try filler.assign()
      return filler.rows
    }
  }

  private init(memory: MemorySource, session: WriteSession, isIndexed: Bool) {
    self.memory = memory
    self.isIndexed = isIndexed
    self.session = session
  }

  private var writer: StoreWriter { session.writer }

  private func layout(_ className: String) throws -> ClassLayout {
    guard let layout = writer.catalog[className] else { throw Missing(name: className) }
    return layout
  }

  struct Missing: Error { var name: String }

  private func declare() throws {
    for schema in memory.schema.objectSchema {
      var key: PrimaryKeyColumn?
      if schema.kind != .embedded {
        let types: [PropertyType: ObjectKeyType] = [.int: .int, .string: .string, .objectId: .objectId, .UUID: .uuid]
        key =
          schema.primaryKeyProperty.flatMap { property in
            types[property.type].map { PrimaryKeyColumn(field: property.name, type: $0) }
          } ?? PrimaryKeyColumn(field: "", type: .global)
      }
      _ = try writer.addClass(schema.className, kind: schema.kind, key: key)
    }
    for schema in memory.schema.objectSchema {
      for property in schema.properties where property.name != schema.primaryKey {
        let isNullable = property.isOptional || property.type == .any || property.type == .object
        try writer.addField(
          FieldDeclaration(
            name: property.name, type: property.type, collection: property.collection, isNullable: isNullable,
            target: property.objectClassName), to: try layout(schema.className))
        if isIndexed, property.isIndexed, property.collection == .single {
          let current = try layout(schema.className)
          if let field = current.field(property.name) { try writer.setIndexed(true, field, of: current) }
        }
      }
    }
  }

  private mutating func create() throws {
    for schema in memory.schema.objectSchema where schema.kind != .embedded {
      guard let table = memory.memoryTable(schema.className) else { continue }
      for key in table.keys {
        rows[schema.className, default: []].append(try writer.create(key, try layout(schema.className)))
      }
    }
  }

  private func assign() throws {
    for schema in memory.schema.objectSchema where schema.kind != .embedded {
      guard let table = memory.memoryTable(schema.className) else { continue }
      for (position, values) in table.rows.enumerated() {
        try assign(values, schema, try layout(schema.className), rows[schema.className]?[position] ?? .none)
      }
    }
  }

  private func assign(_ values: [Value], _ schema: ObjectSchema, _ layout: ClassLayout, _ row: RowKey) throws {
    for (property, value) in zip(schema.properties, values) where property.name != schema.primaryKey {
      guard let field = layout.field(property.name) else { throw Missing(name: property.name) }
      switch (property.collection, value) {
      case (.single, .null): continue
      case (.single, .link(let reference)) where memory.schema[reference.className]?.kind == .embedded:
        guard let table = memory.memoryTable(reference.className),
          let position = table.keys.firstIndex(of: reference.key)
        else { continue }
        let child = try writer.createEmbedded(Cell(layout, row, field))
        try assign(table.rows[position], table.schema, try self.layout(reference.className), child)
      case (.single, _): try writer.set(try stored(value), Cell(layout, row, field))
      case (.list, .list(let elements)):
        try writer.append(try elements.map(stored), Cell(layout, row, field))
      case (.set, .list(let elements)):
        for element in elements { try writer.insertMember(try stored(element), Cell(layout, row, field)) }
      case (.dictionary, .dictionary(let entries)):
        for (key, entry) in entries { try writer.setEntry(try stored(entry), for: key, Cell(layout, row, field)) }
      default: continue
      }
    }
  }

  private func stored(_ value: Value) throws -> StoredValue {
    switch value {
    case .link(let reference):
      let target = try layout(reference.className)
      return .link(target.table, try writer.linkRow(reference.key, target))
    case .list(let elements): return .list(try elements.map(stored))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(stored))
    default: return StoredValue(value) ?? .null
    }
  }
}
