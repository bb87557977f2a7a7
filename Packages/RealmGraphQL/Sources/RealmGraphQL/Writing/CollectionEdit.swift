import DataModel
import GraphQL
import RecordStore

/// Changes of single collections: insert, remove, move, put.
///
/// The new content is written as the difference to the old one, so that what others do to the collection at the same time
/// merges.
extension ObjectWriter {
  /// Applies edits in their order.
  ///
  /// - Returns: false when there is no such object.
  /// - Throws: `GraphQLError` for a position that is out of range; the errors of the editor.
  func edit(_ object: ObjectReference, of type: ClassModel, _ edits: [GraphQLValue]) throws -> Bool {
    guard try editor.contains(object) else { return false }
    for edit in edits {
      guard case .object(let members) = edit, let member = members.first, let field = type.field(named: member.name),
        let old = try editor.object(object)?[field.property.columnName]
      else { continue }
      try editor.set([field.property.columnName: try edited(old, by: member.value, field, of: type)], of: object)
    }
    return true
  }

  private func edited(
    _ old: StateDump.Item, by edit: GraphQLValue, _ field: FieldModel, of type: ClassModel
  ) throws -> StateDump.Item {
    if let all = given("assign", edit) { return try item(all, field, of: type) }
    let isCleared = edit["clear"]?.bool == true
    switch old {
    case .list(let items): return .list(try list(isCleared ? [] : items, edit, field, of: type))
    case .set(let values):
      var values = isCleared ? [] : values
      if let removed = given("remove", edit) { values.subtract(try self.values(removed, field, of: type)) }
      if let added = given("add", edit) { values.formUnion(try self.values(added, field, of: type)) }
      return .set(values)
    case .dictionary(let entries):
      var entries = isCleared ? [:] : entries
      for key in given("remove", edit)?.elements ?? [] { entries[key.string ?? ""] = nil }
      if let put = given("put", edit) { entries.merge(try self.entries(put, field, of: type)) { $1 } }
      return .dictionary(entries)
    case .value, .embedded: return old
    }
  }

  private func list(
    _ old: [StateDump.Item], _ edit: GraphQLValue, _ field: FieldModel, of type: ClassModel
  ) throws -> [StateDump.Item] {
    var items = old
    func position(_ name: String, upTo end: Int) throws -> Int? {
      guard let number = edit[name]?.int else { return nil }
      guard let position = Int(exactly: number), (0...max(end, 0)).contains(position), end >= 0 else {
        throw GraphQLError(
          "\"\(type.typeName).\(field.name)\": \"\(name)\" is \(number), and the list has \(items.count) elements.",
          code: "BAD_POSITION")
      }
      return position
    }
    if let count = try position("remove", upTo: items.count) {
      let at = try position("at", upTo: items.count - count) ?? items.count - count
      items.removeSubrange(at..<at + count)
    }
    if let destination = try position("move", upTo: items.count - 1) {
      guard let source = try position("at", upTo: items.count - 1) else {
        throw GraphQLError("\"move\" asks for \"at\".", code: "BAD_INPUT")
      }
      items.insert(items.remove(at: source), at: destination)
    }
    if let given = given("replace", edit) {
      let elements = try elements(given, field, of: type)
      let at = try position("at", upTo: items.count - elements.count) ?? 0
      guard at + elements.count <= items.count else {
        throw GraphQLError("\"replace\" reaches beyond the end of the list.", code: "BAD_POSITION")
      }
      items.replaceSubrange(at..<at + elements.count, with: elements)
    }
    if let given = given("insert", edit) {
      let at = try position("at", upTo: items.count) ?? items.count
      items.insert(contentsOf: try elements(given, field, of: type), at: at)
    }
    return items
  }

  private func given(_ name: String, _ edit: GraphQLValue) -> GraphQLValue? {
    edit[name].flatMap { $0 == .null ? nil : $0 }
  }
}
