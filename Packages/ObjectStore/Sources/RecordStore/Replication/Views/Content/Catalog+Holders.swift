import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

/// The objects that embedded ones are parts of: a part is held, read and asked about with the object around it.
extension Catalog {
  /// The fields that hold objects of an embedded class, directly or within other parts; none for other classes.
  ///
  /// - Complexity: O(*n*) in these fields.
  func holdingFields(of className: String) -> [FieldReference] {
    var found: [FieldReference] = []
    var pending = [className]
    var seen: Set<String> = [className]
    while let name = pending.popLast() {
      guard let layout = self[name], layout.kind == .embedded else { continue }
      for incoming in self.incoming(layout.table) {
        found.append(incoming)
        if seen.insert(incoming.layout.name).inserted { pending.append(incoming.layout.name) }
      }
    }
    return found
  }

  /// The classes whose objects hold those of some classes as parts: of one that is not embedded, the class itself.
  func holders(of classNames: some Sequence<String>) -> Set<String> {
    classNames.reduce(into: []) { holders, name in
      guard self[name]?.kind == .embedded else {
        holders.insert(name)
        return
      }
      for field in holdingFields(of: name) where field.layout.kind != .embedded { holders.insert(field.layout.name) }
    }
  }
}

extension LinkedRows {
  /// The object that the one in a row is a part of; the row itself for one that is not embedded, nil when nothing holds it.
  ///
  /// - Complexity: O(*n*) in the fields that hold objects of its class, and those around it.
  func holder(of row: ClassRow) throws -> ClassRow? {
    var row = row
    while let layout = catalog[row.table], layout.kind == .embedded {
      guard let next = try around(row, layout) else { return nil }
      row = next
    }
    return row
  }

  private func around(_ row: ClassRow, _ layout: ClassLayout) throws -> ClassRow? {
    guard let parts = try table(layout.name) else { return nil }
    var rows: [QueryRow] = []
    for incoming in catalog.incoming(layout.table) {
      guard
        let property = try table(incoming.layout.name)?.schema.properties.firstIndex(where: {
          $0.columnName == incoming.field.name
        })
      else { continue }
      try parts.appendBacklinks(of: row.row.rawValue, from: incoming.layout.name, property: property, to: &rows)
      if let first = rows.first { return ClassRow(table: incoming.layout.table, row: RowKey(first)) }
    }
    return nil
  }

  /// The row of an object and those of everything embedded in it.
  ///
  /// - Complexity: O(*n*) in the content of the object.
  func parts(of row: ClassRow) throws -> [ClassRow] {
    var parts = [row]
    var position = 0
    var links: [ClassRow] = []
    while position < parts.count {
      links.removeAll(keepingCapacity: true)
      try appendLinks(of: parts[position], to: &links)
      position += 1
      parts += links.filter { catalog[$0.table]?.kind == .embedded }
    }
    return parts
  }
}
