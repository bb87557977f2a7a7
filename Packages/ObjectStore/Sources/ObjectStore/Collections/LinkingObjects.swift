import DataModel
import StorageEngine

/// The objects that link to an object through one property: the inverse of that property.
///
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// Empty while unmanaged. Always current. An object that links twice through a list appears twice.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection {
  let origin: String
  private let managed: ResultsSource?

  /// The inverse of `propertyName` of `type`.
  public init(fromType _: Element.Type, property propertyName: String) {
    origin = propertyName
    managed = nil
  }

  init(_ origin: String, _ source: ResultsSource?) {
    self.origin = origin
    managed = source
  }

  public var _source: ResultsSource? { managed }
  public static func _moved(_ source: ResultsSource) -> LinkingObjects { LinkingObjects("", source) }

  public var count: Int { managed?.count ?? 0 }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  public subscript(position: Int) -> Element {
    let source = managedSource("read")
    return Element._decoded(source.stored(position), source.view)
  }
  public func makeIterator() -> RLMIterator<Element> { managed.map { RLMIterator($0) } ?? RLMIterator([]) }
  public func index(of element: Element) -> Int? { managed?.index(of: element) }

  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.origin == right.origin && left.managed === right.managed
  }
}

extension LinkingObjects: LinkingObjectsProtocol, DeclaresOrigin {
  public init(originProperty: String) { self.init(originProperty, nil) }
}

extension LinkingObjects: _HasPersistedType, _Persistable {
  public typealias PersistedType = LinkingObjects<Element>
  public static var _propertyType: _ValueType {
    _ValueType(.linkingObjects, collection: .list, objectType: Element.self)
  }
  public static var _isHeldByObject: Bool { false }

  /// Reached by objects that are unmanaged and declare the relationship without a wrapper's argument.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> LinkingObjects {
    LinkingObjects("", nil)
  }

  public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> LinkingObjects {
    _ = state.currentCluster()
    guard let access = state.pointee.access?.takeUnretainedValue() else { return LinkingObjects("", nil) }
    let origin = access.fields[number].property.originPropertyName ?? ""
    let element = access.view.access(Element.self)
    guard let field = element.field(named: origin) else {
      violated("Class '\(Element.className())' has no property '\(origin)'.")
    }
    return LinkingObjects(
      origin, ResultsSource(access.view, .incoming(element, field.layout, target: access, state.pointee.row)))
  }

  public static func _assign(_ value: LinkingObjects, _ object: ObjectBase, _ number: Int) {
    violated("An inverse relationship is not assigned; change the links instead.")
  }
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {}
  public static func _convertedProperty(_ any: Any) -> LinkingObjects? { nil }
}
