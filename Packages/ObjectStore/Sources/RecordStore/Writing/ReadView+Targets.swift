import ChangesetOT
import DataModel
import StorageEngine

extension ReadView {
  /// The target that addresses a field in a changeset: from the top-level object through the objects that hold it.
  ///
  /// - Returns: nil when the object lies nowhere: an embedded one that its parent let go of.
  func target(_ cell: Cell, _ path: [PathElement]) throws -> Target? {
    guard cell.layout.kind == .embedded else {
      let object = ObjectReference(className: cell.layout.name, key: try key(cell.row, cell.layout))
      return Target(object: object, field: cell.field.name, path: path)
    }
    guard let parent = try parent(of: cell.row, cell.layout) else { return nil }
    let inner = parent.step + [.name(cell.field.name)] + path
    return try target(parent.cell, inner)
  }

  /// The payload that makes an element: a marker for embedded objects.
  func elementPayload(_ value: StoredValue, of field: FieldLayout) throws -> Payload {
    if case .link(let table, _) = value, catalog[table]?.kind == .embedded { return .objectValue }
    return try payload(value)
  }

  /// The parent of an embedded object.
  package func parent(of row: RowKey, _ layout: ClassLayout) throws -> EmbeddedPlace? {
    let link = StoredValue.link(layout.table, row)
    for incoming in catalog.incoming(layout.table) {
      guard let origin = try origins(incoming.field, of: layout.table, row).first else { continue }
      let cell = Cell(incoming.layout, origin, incoming.field)
      var step: [PathElement] = []
      switch incoming.field.collection {
      case .single: break
      case .list:
        guard let position = try list(cell).firstPosition(of: link) else { continue }
        step = [.index(UInt32(position))]
      case .dictionary:
        let entries = try entries(cell)
        guard let entry = entries.first(where: { $0.value == link }) else { continue }
        step = [.name(String(decoding: entry.key, as: UTF8.self))]
      case .set: continue
      }
      return EmbeddedPlace(cell: cell, step: step)
    }
    return nil
  }
}

/// The field that holds an embedded object, and the step into it when it is a collection.
package struct EmbeddedPlace {
  package let cell: Cell
  package let step: [PathElement]
}
