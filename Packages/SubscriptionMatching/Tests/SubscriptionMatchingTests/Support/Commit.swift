import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import SubscriptionMatching

/// Two versions of a store in memory and the changes between them.
struct Commit {
  let before: MemorySource
  let after: MemorySource
  let changes: [ObjectChange]

  init(from before: MemorySource, to after: MemorySource) throws {
    self.before = before
    self.after = after
    var changes: [ObjectChange] = []
    for objectSchema in before.schema.objectSchema {
      let name = objectSchema.className
      let old = try Self.objects(before, name)
      let new = try Self.objects(after, name)
      for key in Set(old.keys).union(new.keys).sorted(by: { "\($0)" < "\($1)" }) {
        guard old[key].map(Self.bits) != new[key].map(Self.bits) else { continue }
        let changed = objectSchema.properties.indices.filter { position in
          Self.bits([old[key]?[position] ?? .null]) != Self.bits([new[key]?[position] ?? .null])
        }
        changes.append(
          ObjectChange(
            className: name, key: key, before: old[key], after: new[key], changedProperties: changed))
      }
    }
    self.changes = changes
  }

  /// A form that tells apart all that queries tell apart: the two zeros, and equal texts of different bytes.
  private static func bits(_ values: [Value]) -> [[UInt8]] { values.map { Array("\($0)".utf8) } }

  /// The objects of a class as a reader of a version sees them.
  private static func objects(_ source: MemorySource, _ className: String) throws -> [ObjectKey: [Value]] {
    guard let table = source.memoryTable(className) else { return [:] }
    var objects: [ObjectKey: [Value]] = [:]
    for (position, key) in table.keys.enumerated() {
      guard let location = table.location(of: table.rowKey(position)) else { continue }
      let cluster = table.cluster(at: location.cluster)
      objects[key] = try table.schema.properties.indices.map { property in
        table.schema.properties[property].type == .linkingObjects
          ? .null : try cluster.value(of: property, slot: location.slot)
      }
    }
    return objects
  }

  /// The keys that a query finds, in order.
  static func keys(_ plan: QueryPlan, in source: MemorySource) throws -> [ObjectKey] {
    let table = source.memoryTable(plan.className)
    return try plan.rows(in: source).compactMap { table?.objectKey(of: $0) }
  }
}
