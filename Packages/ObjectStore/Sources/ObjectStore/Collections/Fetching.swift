import RecordStore

/// What ``Realm/objects(_:)`` gives results of: model classes and projections of them.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class that is fetched.
  static func className() -> String
}

extension Object: RealmFetchable {}

extension Projection: RealmFetchable {
  /// The name of the class of the objects that are shown.
  public static func className() -> String { Root.className() }
}

extension Realm {
  /// All objects of a class, or all of them shown through a projection: live, and in no promised order.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    view.checkConfinement()
    guard let root = Element._valueType.objectType else { violated("'\(Element.self)' is no class of objects.") }
    return Results(ResultsSource(view, .table(view.access(root))))
  }
}
