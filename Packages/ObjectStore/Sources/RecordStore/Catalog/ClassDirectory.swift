import DataModel
import StorageEngine

/// The classes of a catalog by name and by table, and the fields through which their objects can be linked to.
///
/// The writer that owns it changes it in place, so a transaction that declares thousands of classes and fields pays for each
/// once.
struct ClassDirectory: Sendable {
  /// A field that links, by the table of its class, whose layout may be replaced.
  private struct LinkField {
    let table: TableID
    let field: FieldLayout
  }

  private var byName: [String: ClassLayout] = [:]
  private var byTable: [TableID: ClassLayout] = [:]
  /// The fields that link to one class, by its name; the class itself may come later.
  private var fixedLinks: [String: [LinkField]] = [:]
  /// The fields that can link to any class.
  private var freeLinks: [LinkField] = []

  init(_ classes: [ClassLayout]) { for layout in classes { put(layout) } }

  subscript(name: String) -> ClassLayout? { byName[name] }
  subscript(table: TableID) -> ClassLayout? { byTable[table] }

  /// The fields through which objects of a class can be linked to: those that name it first, in the order of classes and
  /// fields.
  ///
  /// - Complexity: O(*n*) in these fields.
  func incoming(_ table: TableID) -> [FieldReference] {
    guard let layout = byTable[table] else { return [] }
    var references: [FieldReference] = []
    for link in fixedLinks[layout.name] ?? [] { add(link, to: &references) }
    if layout.kind != .embedded { for link in freeLinks { add(link, to: &references) } }
    return references
  }

  private func add(_ link: LinkField, to references: inout [FieldReference]) {
    guard let layout = byTable[link.table] else { return }
    references.append(FieldReference(layout: layout, field: link.field))
  }

  /// Whether a class other than `layout` has a field for links to it. O(*n*) in the fields that link to it.
  func isTarget(_ layout: ClassLayout) -> Bool {
    fixedLinks[layout.name]?.contains { $0.table != layout.table } ?? false
  }

  /// Adds a class, or replaces the one in the same table. O(*n*) in its fields.
  mutating func put(_ layout: ClassLayout) {
    if let old = byTable[layout.table] { remove(old) }
    byName[layout.name] = layout
    byTable[layout.table] = layout
    for field in layout.fields { insert(field, of: layout) }
  }

  /// Puts a class with one more field, its last, in the place of what it was. O(log *n*) in the fields that link alike.
  mutating func put(_ layout: ClassLayout, adding field: FieldLayout) {
    byName[layout.name] = layout
    byTable[layout.table] = layout
    insert(field, of: layout)
  }

  private mutating func insert(_ field: FieldLayout, of layout: ClassLayout) {
    guard field.canLink else { return }
    let link = LinkField(table: layout.table, field: field)
    if field.isFree {
      Self.insert(link, into: &freeLinks)
    } else if let target = field.target {
      Self.insert(link, into: &fixedLinks[target, default: []])
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
    for target in targets { fixedLinks[target]?.removeAll { $0.table == layout.table } }
    if layout.fields.contains(where: \.isFree) { freeLinks.removeAll { $0.table == layout.table } }
  }

  /// Classes lie in tables whose numbers grow, so that their order is that of the tables.
  private static func insert(_ link: LinkField, into links: inout [LinkField]) {
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].table.rawValue <= link.table.rawValue { low = middle + 1 } else { high = middle }
    }
    links.insert(link, at: low)
  }
}

/// A field together with its class.
package struct FieldReference: Sendable {
  package let layout: ClassLayout
  package let field: FieldLayout
}
