import RecordStore

/// A type of elements of ``Realm/objects(_:)``: model classes and projections of them.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the model class.
  static func className() -> String
}

extension Object: RealmFetchable {}

extension Projection: RealmFetchable {
  /// The name of the underlying model class.
  public static func className() -> String { Root.className() }
}

extension Realm {
  /// All objects of a class, or the projections of all of them, in unspecified order.
  ///
  ///     realm.objects(Dog.self).filter("age > 8").count
  ///
  /// - Complexity: O(1). Results are evaluated on use.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    view.checkConfinement()
    guard let root = Element._valueType.objectType else { violated("'\(Element.self)' is no class of objects.") }
    return Results(ResultsSource(view, .table(view.access(root))))
  }
}
