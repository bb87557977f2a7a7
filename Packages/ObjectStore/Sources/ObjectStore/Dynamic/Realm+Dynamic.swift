import DataModel
import StorageEngine
import RecordStore

extension Realm {
  /// All objects of a class by its name, as dynamic objects. The program need not have the class; a class that the file
  /// does not have stops the program.
  ///
  ///     realm.dynamicObjects("Dog").filter("age > 8").first?["name"]      // "Rex"
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    view.checkConfinement()
    return Results(ResultsSource(view, .table(view.dynamicAccess(typeName))))
  }

  /// The dynamic object with a primary key; nil when there is none. A class without a primary key stops the program.
  ///
  /// - Complexity: O(log *n*) in the objects of the class.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    view.checkConfinement()
    let access = view.dynamicAccess(typeName)
    guard let field = access.layout.keyField else { violated("Class '\(typeName)' has no primary key.") }
    guard let stored = StoredValue(literal: key, field).flatMap(\.scalar), let key = ObjectKey(stored) else {
      return nil
    }
    return view.reading(or: nil) { try view.readView.row(key, access.layout) }.map { access.dynamicObject($0) }
  }

  /// Creates an object of a class by its name, from a dictionary by stored names, or an array in the order of the
  /// properties.
  ///
  /// - Parameter update: the treatment of an existing object with the same primary key.
  /// - Returns: the new object, or the updated one.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    let access = view.dynamicAccess(typeName)
    let layout = access.layout
    rule(layout.kind != .embedded, "Embedded objects cannot be created directly: they are added with their parent.")
    let values = DynamicObject.values(of: value, layout)
    let row = view.modify(or: .none) { writer -> RowKey in
      guard let field = layout.keyField else {
        rule(update == .error, "'\(typeName)' does not have a primary key and can not be updated.")
        return try writer.createNew(writer.nextGlobalKey(layout), layout, indexesDefaults: true)
      }
      guard let stored = StoredValue(literal: values[field.name], field)?.scalar, let key = ObjectKey(stored) else {
        violated("Missing or invalid value for primary key '\(typeName).\(field.name)'.")
      }
      if let row = try writer.readView.row(key, layout) {
        rule(
          update != .error,
          "Attempting to create an object of type '\(typeName)' with an existing primary key value '\(key)'.")
        return row
      }
      return try writer.createNew(key, layout, indexesDefaults: true)
    }
    let object = access.dynamicObject(row)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where name != layout.keyField?.name {
      object[name] = value
    }
    return object
  }
}
