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

  /// Creates an object of a class by its name, from a dictionary by names, an array in the order of the properties, or
  /// another object, which is copied.
  ///
  /// - Parameter update: the treatment of an existing object with the same primary key.
  /// - Returns: the new object, or the updated one.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    let access = view.dynamicAccess(typeName)
    rule(
      access.layout.kind != .asymmetric,
      "Objects of asymmetric class '\(typeName)' are created by create(_:value:) of their type.")
    let row = DynamicWriter(view, update, isCreating: true).create(value, access.layout)
    return access.dynamicObject(row)
  }
}
