import ChangesetOT
import DataModel
import StorageEngine

/// The end of a target: a field of an object, and the path from there into its collection or mixed value.
package struct ResolvedTarget {
  let cell: Cell
  /// The rest of the path behind the last embedded object: empty for the field itself, one step for an element
  /// or entry, more for what lies inside a mixed value.
  let rest: [PathElement]
}

extension ChangesetApplier {
  /// Follows a path through embedded objects. No value is open afterwards that the place could be, or hold.
  func place(_ target: Target) throws -> ResolvedTarget {
    let place = try follow(target)
    if dirty.isOpen, place.mixedValue == nil { try close() }
    return place
  }

  /// The greatest depth of collections inside a mixed value, as in Realm.
  static var nestingLimit: Int { 100 }

  private func follow(_ target: Target) throws -> ResolvedTarget {
    guard var (layout, row) = try find(target.object) else { throw Refusal(.unknownObject) }
    var field = try field(target.field, of: layout)
    var rest = target.path[...]
    while let embedded = embeddedClass(field) {
      let child: StoredValue?
      switch field.collection {
      case .single:
        guard !rest.isEmpty else { return ResolvedTarget(cell: Cell(layout, row, field), rest: []) }
        child = try writer.readView.value(Cell(layout, row, field))
      case .list, .dictionary, .set:
        guard rest.count > 1 else { return ResolvedTarget(cell: Cell(layout, row, field), rest: Array(rest)) }
        child = try element(rest.removeFirst(), ResolvedTarget(cell: Cell(layout, row, field), rest: []))
      }
      guard case .name(let name)? = rest.popFirst() else { throw Refusal(.nameMissing) }
      guard case .link(_, let next)? = child else { throw Refusal(.pathThroughNull) }
      (layout, row) = (embedded, next)
      field = try self.field(name, of: layout)
    }
    guard rest.count <= Self.nestingLimit else {
      throw Refusal(.limitExceeded, "collections lie in each other more than \(Self.nestingLimit) deep")
    }
    return ResolvedTarget(cell: Cell(layout, row, field), rest: Array(rest))
  }

  private func field(_ name: String, of layout: ClassLayout) throws -> FieldLayout {
    guard let field = layout.field(name) else { throw Refusal(.unknownField, "no field \(name)") }
    guard layout.keyField?.column != field.column else { throw Refusal(.keyWritten) }
    return field
  }

  func embeddedClass(_ field: FieldLayout) -> ClassLayout? {
    guard field.isFixedLink, let layout = writer.catalog[field.target ?? ""], layout.kind == .embedded else {
      return nil
    }
    return layout
  }

  /// The element or entry of a place's collection.
  func element(_ step: PathElement, _ place: ResolvedTarget) throws -> StoredValue {
    switch (place.cell.field.collection, step) {
    case (.list, .index(let index)):
      let list = try writer.readView.list(place.cell)
      guard index < list.count else { throw Refusal(.pathOutOfList) }
      return try list.element(at: Int(index))
    case (.dictionary, .name(let key)):
      let map = try writer.readView.map(place.cell)
      guard let value = try map.value(for: Array(key.utf8)) else { throw Refusal(.pathToMissingKey) }
      return value
    default:
      throw Refusal(.pathMismatch)
    }
  }
}
