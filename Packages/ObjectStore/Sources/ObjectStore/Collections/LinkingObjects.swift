import DataModel
import StorageEngine
import RecordStore

/// The objects that link to an object through one of their properties, as an inverse relationship.
///
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// Live and always current; empty while unmanaged. An object that links twice through a list appears twice. Not
/// assignable.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection {
  let origin: String
  private let attached: ResultsSource?
  /// The box into which a live object puts the source, for a relationship declared as a constant.
  private let box: LinkingBox?

  private var managed: ResultsSource? { attached ?? box?.source }
  /// The tracer of ``KeyPathTracer``; nil otherwise.
  private var element: ObjectBase?
  var tracer: ObjectBase? { element ?? box?.tracer }

  /// The inverse of the property `propertyName` of a class, for a constant property of a model.
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

  /// The source of a live collection; nil while unmanaged.
  public var _source: ResultsSource? { managed }
  /// The same kind of collection with another source.
  public static func _moved(_ source: ResultsSource) -> LinkingObjects { LinkingObjects("", source) }

  /// The number of linking objects; 0 while unmanaged.
  public var count: Int { managed?.count ?? 0 }
  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  /// A linking object by its position. A position outside stops the program.
  public subscript(position: Int) -> Element {
    if let element = element ?? box?.traced(Element.self), let element = element as? Element { return element }
    let source = managedSource("read")
    return Element._decoded(source.stored(position), source.view)
  }
  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> RLMIterator<Element> { managed.map { RLMIterator($0) } ?? RLMIterator([]) }
  /// The position of a linking object; nil when it does not link.
  public func index(of element: Element) -> Int? { managed?.index(of: element) }

  /// Whether both are the same relationship of the same instance.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.origin == right.origin && left.managed === right.managed
  }
}

extension LinkingObjects: LinkingObjectsProtocol, DeclaresOrigin {
  /// The inverse of the property `originProperty`, unmanaged.
  public init(originProperty: String) { self.init(originProperty, nil) }
}

extension LinkingObjects: _HasPersistedType, _Persistable {
  /// Stored as itself.
  public typealias PersistedType = LinkingObjects<Element>
  /// The stored type of a property.
  public static var _propertyType: _ValueType {
    _ValueType(.linkingObjects, collection: .list, objectType: Element.self)
  }
  /// Values are not kept in the object while it is live.
  public static var _isStoredInObject: Bool { false }

  /// The empty relationship of an unmanaged object, or that of a tracer.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> LinkingObjects {
    var empty = LinkingObjects("", nil)
    if state.pointee.isTracing { empty.element = KeyPathTracer.elements(Element.self).first }
    return empty
  }

  /// Reads a property of a live object.
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

  /// Stops the program: an inverse relationship is changed through its links.
  public static func _assign(_ value: LinkingObjects, _ object: ObjectBase, _ number: Int) {
    violated("An inverse relationship is not assigned; change the links instead.")
  }
  /// Does nothing: an inverse relationship is not stored.
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {}
  /// Nil: no literal stands for an inverse relationship.
  public static func _convertedProperty(_ any: Any) -> LinkingObjects? { nil }
}

/// The source of an inverse relationship that is a constant of its class.
final class LinkingBox {
  /// Whether the object is a tracer of ``KeyPathTracer``.
  var isTracing = false
  /// The tracer to which a key path went on.
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
  static var customType: Any.Type? { nil }
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
    // unowned: the view owns the access, and the object that owns the box keeps the view.
    instance(memory).box?.make = { [unowned access] in source(origin, access, row) }
  }
}
