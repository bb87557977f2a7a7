import DataModel
import StorageEngine
import RecordStore

/// The objects that link to an object through one property: the inverse of that property.
///
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// Empty while unmanaged. Always current. An object that links twice through a list appears twice.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection {
  let origin: String
  private let attached: ResultsSource?
  /// What a live object puts the source into, where the relationship is a constant of its class.
  private let box: LinkingBox?

  private var managed: ResultsSource? { attached ?? box?.source }
  /// Where key paths lead; see ``KeyPathTracer``.
  private var element: ObjectBase?
  var tracer: ObjectBase? { element ?? box?.tracer }

  /// The inverse of `propertyName` of `type`.
  public init(fromType _: Element.Type, property propertyName: String) {
    origin = propertyName
    attached = nil
    box = LinkingBox()
  }

  init(_ origin: String, _ source: ResultsSource?) {
    self.origin = origin
    attached = source
    box = nil
  }

  public var _source: ResultsSource? { managed }
  public static func _moved(_ source: ResultsSource) -> LinkingObjects { LinkingObjects("", source) }

  public var count: Int { managed?.count ?? 0 }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  public subscript(position: Int) -> Element {
    if let element = element ?? box?.traced(Element.self), let element = element as? Element { return element }
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
  public static var _isStoredInObject: Bool { false }

  /// Reached by objects that are unmanaged and declare the relationship without a wrapper's argument.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> LinkingObjects {
    var empty = LinkingObjects("", nil)
    if state.pointee.isTracing { empty.element = KeyPathTracer.elements(Element.self).first }
    return empty
  }

  public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> LinkingObjects {
    _ = state.currentCluster()
    guard let access = state.pointee.access?.takeUnretainedValue() else { return LinkingObjects("", nil) }
    let origin = access.fields[number].property.originPropertyName ?? ""
    return LinkingObjects(origin, source(origin, access, state.pointee.row))
  }

  fileprivate static func source(_ origin: String, _ access: ClassAccess, _ row: RowKey) -> ResultsSource {
    let element = access.view.access(Element.self)
    guard let field = element.field(named: origin) else {
      violated("Class '\(Element.className())' has no property '\(origin)'.")
    }
    return ResultsSource(access.view, .incoming(element, field.layout, target: access, row))
  }

  public static func _assign(_ value: LinkingObjects, _ object: ObjectBase, _ number: Int) {
    violated("An inverse relationship is not assigned; change the links instead.")
  }
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {}
  public static func _convertedProperty(_ any: Any) -> LinkingObjects? { nil }
}

/// Where the source of an inverse relationship that is a constant lies.
final class LinkingBox {
  /// Whether the object serves to follow key paths on.
  var isTracing = false
  /// Where a key path went on through the relationship.
  private(set) var tracer: ObjectBase?

  func traced(_ type: ObjectBase.Type) -> ObjectBase? {
    if isTracing, tracer == nil { tracer = KeyPathTracer.tracer(type) }
    return tracer
  }

  var make: (() -> ResultsSource)?
  private var made: ResultsSource?
  var source: ResultsSource? {
    if made == nil { made = make?() }
    return made
  }
}

extension LinkingObjects: TracedProperty, TracedConstant {
  static func forget(_ memory: UnsafeMutableRawPointer) { instance(memory).box?.isTracing = true }
  static func touched(_ memory: UnsafeRawPointer) -> Any? {
    instance(memory).box?.tracer == nil ? nil : instance(memory)
  }
  var instance: AnyObject? { box }
}

extension LinkingObjects: StoredProperty {
  static var isWrapper: Bool { false }
  static var instanceOffset: Int? { MemoryLayout<LinkingObjects>.offset(of: \.box) }
  static var propertyType: _ValueType { _propertyType }
  static func options(_ memory: UnsafeRawPointer) -> PersistedOptions { [] }
  private static func instance(_ memory: UnsafeRawPointer) -> LinkingObjects {
    memory.assumingMemoryBound(to: LinkingObjects.self).pointee
  }
  static func originProperty(_ memory: UnsafeRawPointer) -> String? { instance(memory).origin }
  static func unmanagedValue(_ memory: UnsafeRawPointer) -> Any? { instance(memory) }
  static func setUnmanaged(_ memory: UnsafeMutableRawPointer, _ any: Any) -> Bool { false }
  static func promote(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion) {
    bind(memory, object, number)
  }
  static func key(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? { nil }
  static func read(_ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Any? { instance(memory) }
  static func assign(_ any: Any, _ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Bool {
    false
  }
  static func bind(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int) {
    guard let access = object.state.pointee.access?.takeUnretainedValue() else { return }
    let (origin, row) = (instance(memory).origin, object.state.pointee.row)
    // The view owns the access and lives at least as long as the object that owns the box.
    instance(memory).box?.make = { [unowned access] in source(origin, access, row) }
  }
}
