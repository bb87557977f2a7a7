import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

/// A condition over the object's own single fields, so that the object alone decides whether a view holds it; with the access
/// list of the object, where the user's roles are bounded by it.
struct ClassQuery: Sendable {
  let layout: ClassLayout
  /// The fields that the condition reads, in the order of ``OwnState/values``.
  let fields: [FieldLayout]
  /// The access lists of the object, where they decide.
  let lists: [FieldLayout]
  private let filter: ObjectFilter
  private let own: ObjectSchema
  /// The position in ``fields`` of each property up to the last that is read; nil for those that are not read.
  private let positions: [Int?]

  /// - Returns: nil when the query asks for more than single fields of the object itself.
  ///
  /// - Parameter lists: the access lists of the class that decide.
  init?(_ plan: QueryPlan, _ layout: ClassLayout, _ schema: Schema, lists: [FieldLayout]) {
    guard !plan.hasOrderingClauses, let own = schema[layout.name], let filter = ObjectFilter(plan) else { return nil }
    self.own = own
    self.filter = filter
    self.layout = layout
    self.lists = lists
    let read = Set(plan.propertiesRead.map(\.property))
    var fields: [FieldLayout] = []
    var positions: [Int?] = []
    for property in own.properties {
      guard read.contains(property.name), let field = layout.field(property.columnName) else {
        positions.append(nil)
        continue
      }
      guard field.collection == .single, !field.canLink else { return nil }
      positions.append(fields.count)
      fields.append(field)
    }
    self.fields = fields
    self.positions = Array(positions.prefix((positions.lastIndex { $0 != nil } ?? -1) + 1))
  }

  /// Whether a field decides about the query.
  func reads(_ field: String) -> Bool { fields.contains { $0.name == field } || lists.contains { $0.name == field } }

  /// Whether an object is selected by its own values, whatever its access list says. O(*n*) in the values.
  func selects(_ read: [Value]) throws -> Bool {
    let values = positions.map { position in
      position.flatMap { read.indices.contains($0) ? read[$0] : nil } ?? .null
    }
    return try filter.holds(for: ObjectValues(values, of: own))
  }
}

/// The part of an object's state that a query decides by.
struct OwnState {
  /// Of the ``ClassQuery/fields``.
  var values: [Value]
  /// Of the ``ClassQuery/lists``; nil for one that was not declared.
  var lists: [StateDump.Item?]

  /// The permission objects in the access lists.
  var entries: [ObjectKey] {
    lists.flatMap { list -> [ObjectKey] in
      guard case .list(let items)? = list else { return [] }
      return items.compactMap { if case .value(.link(let object)) = $0 { object.key } else { nil } }
    }
  }
}
