import DataModel
import StorageEngine

/// The classes of a catalog by name and by table, and the fields through which their objects can be linked to.
///
/// A copy with one class changed costs no more than copying dictionaries: whoever declares thousands of classes and fields
/// in one transaction makes as many catalogs.
struct ClassDirectory: Sendable {
  private var byName: [String: ClassLayout] = [:]
  private var byTable: [TableID: ClassLayout] = [:]
  /// The fields that link to one class, by its name; the class itself may come later.
  private var fixedLinks: [String: [FieldReference]] = [:]
  /// The fields that can link to any class.
  private var freeLinks: [FieldReference] = []

  init(_ classes: [ClassLayout]) { for layout in classes { put(layout) } }

  subscript(name: String) -> ClassLayout? { byName[name] }
  subscript(table: TableID) -> ClassLayout? { byTable[table] }

  /// The fields through which objects of a class can be linked to: those that name it first, in the order of classes and
  /// fields.
  func incoming(_ table: TableID) -> [FieldReference] {
    guard let layout = byTable[table] else { return [] }
    let fixed = fixedLinks[layout.name] ?? []
    return layout.kind == .embedded || freeLinks.isEmpty ? fixed : fixed + freeLinks
  }

  /// Adds a class, or replaces the one in the same table.
  mutating func put(_ layout: ClassLayout) {
    if let old = byTable[layout.table] { remove(old) }
    byName[layout.name] = layout
    byTable[layout.table] = layout
    for field in layout.fields where field.canLink {
      let reference = FieldReference(layout: layout, field: field)
      if field.isFree {
        Self.insert(reference, into: &freeLinks)
      } else if let target = field.target {
        Self.insert(reference, into: &fixedLinks[target, default: []])
      }
    }
  }

  /// Removes a class.
  mutating func remove(_ layout: ClassLayout) {
    byName[layout.name] = nil
    byTable[layout.table] = nil
    var targets: Set<String> = []
    for field in layout.fields where field.canLink {
      if let target = field.target, !field.isFree { targets.insert(target) }
    }
    for target in targets { fixedLinks[target]?.removeAll { $0.layout.table == layout.table } }
    if layout.fields.contains(where: \.isFree) { freeLinks.removeAll { $0.layout.table == layout.table } }
  }

  /// Classes lie in tables whose numbers grow, so that their order is that of the tables.
  private static func insert(_ reference: FieldReference, into references: inout [FieldReference]) {
    let place = references.firstIndex { $0.layout.table.rawValue > reference.layout.table.rawValue }
    references.insert(reference, at: place ?? references.count)
  }
}

/// A field together with its class.
struct FieldReference: Sendable {
  let layout: ClassLayout
  let field: FieldLayout
}
