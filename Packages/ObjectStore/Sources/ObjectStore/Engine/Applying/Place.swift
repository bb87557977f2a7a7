import ChangesetOT
import DataModel
import StorageEngine

/// Where a target leads: a field of an object, and the way from there into its collection or mixed value.
struct Place {
  let layout: ClassLayout
  let row: RowKey
  let field: FieldLayout
  /// What is left of the path once embedded objects are passed: none for the field itself, one step for an element
  /// or entry, more for what lies inside a mixed value.
  let rest: [PathElement]
}

extension ChangesetApplier {
  /// Follows a path through embedded objects.
  func place(_ target: Target) throws -> Place {
    guard var (layout, row) = try find(target.object) else { throw Refusal(.unknownObject) }
    var field = try field(target.field, of: layout)
    var rest = target.path[...]
    while let embedded = embeddedClass(field) {
      let child: StoredValue?
      switch field.collection {
      case .single:
        guard !rest.isEmpty else { return Place(layout: layout, row: row, field: field, rest: []) }
        child = try writer.frame.value(field, row, layout)
      case .list, .dictionary, .set:
        guard rest.count > 1 else { return Place(layout: layout, row: row, field: field, rest: Array(rest)) }
        child = try element(rest.removeFirst(), Place(layout: layout, row: row, field: field, rest: []))
      }
      guard case .name(let name)? = rest.popFirst() else { throw Refusal(.nameMissing) }
      guard case .link(_, let next)? = child else { throw Refusal(.pathThroughNull) }
      (layout, row) = (embedded, next)
      field = try self.field(name, of: layout)
    }
    return Place(layout: layout, row: row, field: field, rest: Array(rest))
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
  func element(_ step: PathElement, _ place: Place) throws -> StoredValue {
    switch (place.field.collection, step) {
    case (.list, .index(let index)):
      let list = try writer.frame.list(place.field, place.row, place.layout)
      guard index < list.count else { throw Refusal(.pathOutOfList) }
      return try list.element(at: Int(index))
    case (.dictionary, .name(let key)):
      let map = try writer.frame.map(place.field, place.row, place.layout)
      guard let value = try map.value(for: Array(key.utf8)) else { throw Refusal(.pathToMissingKey) }
      return value
    default:
      throw Refusal(.pathMismatch)
    }
  }

  // MARK: Inside mixed values

  /// Changes what lies inside the mixed value at a place: `path` leads from the value to what is changed.
  func editMixed(_ place: Place, path: ArraySlice<PathElement>, _ change: (inout StoredValue) throws -> Void) throws {
    guard place.field.type == .any else { throw Refusal(.notMixed) }
    guard place.field.collection != .single else {
      var value = try writer.frame.value(place.field, place.row, place.layout)
      try Self.descend(&value, path, change)
      return try writer.assign(value, place.field, place.row, place.layout)
    }
    guard let step = path.first else { throw Refusal(.pathMismatch, "the path ends at a collection") }
    var value = try element(step, place)
    try Self.descend(&value, path.dropFirst(), change)
    switch step {
    case .index(let index): try writer.assignElement(value, at: Int(index), place.field, place.row, place.layout)
    case .name(let key): try writer.assignEntry(value, for: Array(key.utf8), place.field, place.row, place.layout)
    }
  }

  private static func descend(
    _ value: inout StoredValue, _ path: ArraySlice<PathElement>, _ change: (inout StoredValue) throws -> Void
  ) throws {
    guard let step = path.first else { return try change(&value) }
    switch (value, step) {
    case (.list(var elements), .index(let index)):
      guard index < elements.count else { throw Refusal(.pathOutOfList) }
      try descend(&elements[Int(index)], path.dropFirst(), change)
      value = .list(elements)
    case (.dictionary(var entries), .name(let key)):
      guard var entry = entries[key] else { throw Refusal(.pathToMissingKey) }
      try descend(&entry, path.dropFirst(), change)
      entries[key] = entry
      value = .dictionary(entries)
    default:
      throw Refusal(.pathMismatch)
    }
  }
}
