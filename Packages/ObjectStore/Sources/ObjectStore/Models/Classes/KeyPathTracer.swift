import Synchronization
import RecordStore

/// Finds the property names of key paths: `\Person.friend?.name` gives `friend.name`.
///
/// A key path does not tell its names. The tracer therefore applies it to an empty object, in which the first read of a
/// property creates a value: the properties that have a value afterwards were read. Links and collections of such an
/// object lead to further empty objects.
enum KeyPathTracer {
  /// One property on a path.
  struct Step: Sendable, Hashable {
    let name: String
    /// Whether the property holds many values.
    let isCollection: Bool
  }

  /// The properties on a key path from a model class or projection; none for `\.self`. A key path that leads to no
  /// stored property stops the program.
  ///
  /// Computed once per key path and process. Any thread may call this.
  static func steps(_ keyPath: AnyKeyPath) -> [Step] {
    if let known = known.withLock({ $0[Key(path: keyPath)] }) { return known }
    let root = type(of: keyPath).rootType
    let steps: [Step]
    if let root = root as? ObjectBase.Type {
      steps = trace(keyPath, root)
    } else if let projection = root as? any ProjectionObservable.Type {
      steps = projection.steps(keyPath)
    } else {
      violated("The key path \(keyPath) does not start at a model class.")
    }
    known.withLock { $0[Key(path: keyPath)] = steps }
    return steps
  }

  /// The names of the properties, joined by dots.
  static func name(_ keyPath: AnyKeyPath) -> String { steps(keyPath).map(\.name).joined(separator: ".") }

  /// An empty object to apply a key path to.
  static func tracer(_ type: ObjectBase.Type) -> ObjectBase {
    let object = type.init()
    object.state.pointee.isTracing = true
    for property in object.binding.properties {
      (property.access as? any TracedProperty.Type)?.forget(object.memory + property.offset)
    }
    return object
  }

  /// The elements of the collections of a tracer: one tracer, or none for elements that are no objects.
  static func elements<Element>(_: Element.Type = Element.self) -> [Element] {
    guard let type = (Element.self as? ObjectBase.Type) ?? ((Element.self as? any AnyOptional.Type)?.objectType),
      let element = tracer(type) as? Element
    else { return [] }
    return [element]
  }

  /// Whether a key path from a model class leads to a property that its objects store, or to the object itself.
  static func leadsToStoredProperty(_ keyPath: AnyKeyPath) -> Bool {
    guard let root = type(of: keyPath).rootType as? ObjectBase.Type else { return false }
    let tracer = tracer(root)
    let end = (tracer as Any)[keyPath: keyPath]
    return !touched(of: tracer).isEmpty || constant(end, of: tracer) != nil || type(of: keyPath).valueType == root
  }

  /// The names of the properties on a key path up to the first collection, joined by dots; the properties that a computed
  /// one reads, joined by commas.
  static func shownName(_ keyPath: AnyKeyPath) -> String {
    guard let root = type(of: keyPath).rootType as? ObjectBase.Type else { return "" }
    let tracer = tracer(root)
    _ = (tracer as Any)[keyPath: keyPath]
    let first = touched(of: tracer)
    guard first.count == 1 else { return first.map(\.step.name).joined(separator: ", ") }
    let steps = steps(keyPath)
    let end = steps.firstIndex { $0.isCollection } ?? steps.count - 1
    return steps.prefix(end + 1).map(\.name).joined(separator: ".")
  }

  private static func found(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) -> [Step] {
    let tracer = tracer(root)
    let end = (tracer as Any)[keyPath: keyPath]
    var steps = path(through: tracer)
    if let last = constant(end, of: lastObject(on: steps, from: tracer)) { steps.append(last) }
    return steps
  }

  private static func trace(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) -> [Step] {
    let steps = found(keyPath, root)
    rule(
      !steps.isEmpty || type(of: keyPath).valueType == root,
      "The key path \(keyPath) leads to no stored property of '\(root.className())'.")
    return steps
  }

  /// The properties that were read through a tracer.
  static func path(through tracer: ObjectBase) -> [Step] {
    var steps: [Step] = []
    var next: ObjectBase? = tracer
    while let object = next {
      next = nil
      let touched = touched(of: object)
      guard let first = touched.first else { break }
      rule(
        touched.count == 1,
        "A key path reads several properties of '\(type(of: object).className())'; name one stored property.")
      steps.append(first.step)
      next = (first.value as? any TracedCollection)?.tracer ?? first.value as? ObjectBase
    }
    return steps
  }

  /// The properties of a tracer that were read, with the values that the reading made.
  private static func touched(of object: ObjectBase) -> [(step: Step, value: Any)] {
    object.binding.properties.compactMap { property in
      guard let access = property.access as? any TracedProperty.Type,
        let value = access.touched(object.memory + property.offset)
      else { return nil }
      let isCollection = property.access.propertyType.collection != .single
      return (Step(name: property.name, isCollection: isCollection), value)
    }
  }

  /// The property of a constant, `let dogs = List<Dog>()`, found by its instance, since reading it leaves no trace.
  private static func constant(_ value: Any?, of object: ObjectBase?) -> Step? {
    guard let object, let known = (value as? any TracedConstant)?.instance else { return nil }
    let property = object.binding.properties.first { property in
      guard !property.access.isWrapper else { return false }
      return instance(of: property, in: object.memory + property.offset) === known
    }
    return property.map { Step(name: $0.name, isCollection: $0.access.propertyType.collection != .single) }
  }

  /// The instance of a constant.
  private static func instance(of property: BoundProperty, in memory: UnsafeRawPointer) -> AnyObject? {
    if property.access is any ConstantProperty.Type { return memory.load(as: AnyObject.self) }
    return (property.access.unmanagedValue(memory) as? any TracedConstant)?.instance
  }

  /// The object at the end of the properties; nil when the last leads to none.
  private static func lastObject(on steps: [Step], from tracer: ObjectBase) -> ObjectBase? {
    steps.reduce(Optional(tracer)) { object, step in
      guard let value = object?.value(forKey: step.name) else { return nil }
      return (value as? any TracedCollection)?.tracer ?? value as? ObjectBase
    }
  }

  // @unchecked: AnyKeyPath is not Sendable because it may capture values; key paths of models capture positions at
  // most.
  private struct Key: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
  }
  private static let known = Mutex<[Key: [Step]]>([:])
}

/// A collection whose first element may be a tracer.
protocol TracedCollection {
  var tracer: ObjectBase? { get }
}

extension List: TracedCollection {
  var tracer: ObjectBase? { unmanaged.first as? ObjectBase }
}

extension LinkingObjects: TracedCollection {}

/// A constant property of models, identified by its instance.
protocol TracedConstant {
  var instance: AnyObject? { get }
}

/// A stored property that shows whether it was read.
protocol TracedProperty {
  static func forget(_ memory: UnsafeMutableRawPointer)
  static func touched(_ memory: UnsafeRawPointer) -> Any?
}

extension Persisted: TracedProperty {
  static func forget(_ memory: UnsafeMutableRawPointer) {
    let wrapper = memory.assumingMemoryBound(to: Self.self)
    if let value = wrapper.pointee.value, Value.self is any RealmEnum.Type { TracedSamples.keep(value) }
    wrapper.pointee.value = nil
  }
  static func touched(_ memory: UnsafeRawPointer) -> Any? { memory.assumingMemoryBound(to: Self.self).pointee.value }
}

/// Values of enumerations for tracers: a type without a default cannot make one.
private enum TracedSamples {
  // @unchecked: the values are enumerations, which do not change.
  private struct Sample: @unchecked Sendable {
    let value: Any
  }
  private static let samples = Mutex<[ObjectIdentifier: Sample]>([:])

  static func keep<T>(_ value: T) {
    let sample = Sample(value: value)
    samples.withLock { $0[ObjectIdentifier(T.self)] = sample }
  }

  static func value<T>(_: T.Type) -> T? { samples.withLock { $0[ObjectIdentifier(T.self)] }?.value as? T }
}

extension RealmEnum {
  /// The value that a property starts with; in a tracer that of another property of the type.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    if state.pointee.isTracing, let value = TracedSamples.value(Self.self) { return value }
    return _defaultValue()
  }
}

extension AnyOptional {
  /// The class of an optional object; nil for other optionals.
  static var objectType: ObjectBase.Type? { wrappedType as? ObjectBase.Type }
}

/// The name of the stored property at the end of a key path; through links, the names joined by dots. A key path that
/// leads to no stored property stops the program.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String { KeyPathTracer.name(keyPath) }
