import DataModel
import StorageEngine
import Synchronization
@_spi(Reflection) import Swift

/// The stored properties of a model class and their offsets in an instance.
///
/// Made once per class and process, by reflection, and never freed. Any thread may use it.
final class ClassBinding: @unchecked Sendable {
  // @unchecked: all properties are set by the initialiser and never change, but the declaration, which its lock guards.

  let type: ObjectBase.Type
  /// In declaration order, inherited ones first.
  let properties: [BoundProperty]
  /// Offset and number of each property that keeps an instance which an initialiser may make: constants, and wrapped
  /// collections. See ``bindInstances(of:)``.
  let instances: UnsafeMutableBufferPointer<(offset: Int32, number: Int32)>
  /// Whether properties refer to their object, which encoding needs.
  private let isEncodable: Bool
  /// Offset and number of each `@Persisted` property.
  private let numbers: UnsafeMutableBufferPointer<(offset: Int32, number: Int32)>
  private let declared = Mutex<ClassDeclaration?>(nil)

  private init(_ type: ObjectBase.Type) {
    RuntimeLayout.check()
    self.type = type
    var properties: [BoundProperty] = []
    var seen: Set<Int> = []
    let ignored = Set(type.ignoredProperties())
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, fieldType, _ in
      guard let access = fieldType as? any StoredProperty.Type, seen.insert(offset).inserted else { return true }
      var text = String(cString: name)
      if access.isWrapper, text.hasPrefix("_") { text.removeFirst() }
      // An ignored property keeps the number -1 and stays in memory, also when it is declared with `@Persisted`.
      if ignored.contains(text) { return true }
      properties.append(BoundProperty(name: text, offset: offset, access: access))
      return true
    }
    self.properties = properties
    isEncodable = type is any Encodable.Type
    let holding = properties.enumerated().compactMap { number, property in
      property.access.instanceOffset.map {
        (Int32(truncatingIfNeeded: property.offset + $0), Int32(truncatingIfNeeded: number))
      }
    }
    instances = .allocate(capacity: holding.count)
    _ = instances.initialize(from: holding)
    let wrapped = properties.enumerated().filter { $0.element.access.isWrapper }
    numbers = .allocate(capacity: wrapped.count)
    _ = numbers.initialize(
      from: wrapped.map { (Int32(truncatingIfNeeded: $0.element.offset), Int32(truncatingIfNeeded: $0.offset)) })
  }

  /// Writes the numbers of its properties into a new instance of a class.
  static func number(
    _ type: ObjectBase.Type, propertiesOf object: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<ObjectState>
  ) {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    if let known = UnsafeRawPointer(
      bitPattern: cache[Int(truncatingIfNeeded: (key >> 4) & 255)].load(ordering: .acquiring))
    {
      let isDone = Unmanaged<ClassBinding>.fromOpaque(known)._withUnsafeGuaranteedRef { binding in
        guard binding.type == type else { return false }
        binding.number(propertiesOf: object, state)
        return true
      }
      if isDone { return }
    }
    of(type).number(propertiesOf: object, state)
  }

  private func number(propertiesOf object: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<ObjectState>) {
    for entry in numbers { (object + Int(entry.offset)).storeBytes(of: entry.number, as: Int32.self) }
    guard isEncodable else { return }
    for entry in numbers {
      (object + Int(entry.offset) + 8).storeBytes(of: state, as: UnsafeMutablePointer<ObjectState>?.self)
    }
  }

  /// The class as a schema. The first call makes an instance.
  var declaration: ClassDeclaration {
    if let known = declared.withLock({ $0 }) { return known }
    let made = ClassDeclaration(self)
    declared.withLock { $0 = made }
    return made
  }

  // MARK: Finding the binding of a class

  /// The binding of a class: one load and one comparison, unless two classes share a slot of ``cache``. Its references
  /// are unmanaged: ``all`` keeps every binding for good. Serves store.read-live.
  static func of(_ type: ObjectBase.Type) -> ClassBinding {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    let slot = Int(truncatingIfNeeded: (key >> 4) & 255)
    if let known = UnsafeRawPointer(bitPattern: cache[slot].load(ordering: .acquiring)) {
      let binding = Unmanaged<ClassBinding>.fromOpaque(known)
      if binding._withUnsafeGuaranteedRef({ $0.type == type }) { return binding.takeUnretainedValue() }
    }
    let binding = all.withLock { all in
      if let known = all[ObjectIdentifier(type)] { return known }
      let made = ClassBinding(type)
      all[ObjectIdentifier(type)] = made
      return made
    }
    cache[slot].store(UInt(bitPattern: Unmanaged.passUnretained(binding).toOpaque()), ordering: .releasing)
    return binding
  }

  /// Bindings live as long as the process.
  private static let all = Mutex<[ObjectIdentifier: ClassBinding]>([:])

  /// The classes that were used so far and belong to realms without object types, in a fixed order.
  static var known: [ClassBinding] {
    all.withLock { Array($0.values) }.filter {
      !$0.properties.isEmpty && $0.type.shouldIncludeInDefaultSchema()
    }.sorted {
      ($0.type.className(), String(reflecting: $0.type)) < ($1.type.className(), String(reflecting: $1.type))
    }
  }

  /// The class of a name, among those that were used so far; nil for none.
  static func named(_ name: String) -> ObjectBase.Type? {
    all.withLock { Array($0.values) }.first { $0.type.className() == name && !$0.properties.isEmpty }?.type
  }

  // nonisolated(unsafe): a fixed array of atomics that is never replaced.
  nonisolated(unsafe) private static let cache = {
    let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 256)
    for slot in 0..<256 { (slots + slot).initialize(to: Atomic(0)) }
    return slots
  }()
}

/// One stored property of a class.
struct BoundProperty: Sendable {
  let name: String
  /// The offset in an instance, in bytes.
  let offset: Int
  let access: any StoredProperty.Type
}

/// A type of stored properties: a `@Persisted` wrapper, or the class of a constant. The functions take the property's
/// address.
protocol StoredProperty: SendableMetatype {
  static var isWrapper: Bool { get }
  static var propertyType: _ValueType { get }
  /// The arguments of the attribute, read from an instance.
  static func options(_ memory: UnsafeRawPointer) -> PersistedOptions
  /// The linking property of an inverse relationship, read from an instance; nil for other properties.
  static func originProperty(_ memory: UnsafeRawPointer) -> String?
  /// The value of an unmanaged object; nil when none was set.
  static func unmanagedValue(_ memory: UnsafeRawPointer) -> Any?
  /// Sets the value of an unmanaged object from a literal; false when the literal stands for no such value.
  static func setUnmanaged(_ memory: UnsafeMutableRawPointer, _ any: Any) -> Bool
  /// Writes the value of an object that becomes live.
  static func promote(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
  /// The stored form of an unmanaged object's primary key; nil for a type that is no key. A default becomes the value.
  static func key(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue?
  /// The value, managed or not.
  static func read(_ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Any?
  /// The offset, within the property, of an instance that an initialiser may make; nil when the property keeps none.
  static var instanceOffset: Int? { get }
  /// Attaches the instance that the initialiser of a live object made to the object's row.
  static func bind(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int)
  /// The type of the values, when applications define it; nil for types of the library.
  static var customType: Any.Type? { get }
  /// Sets the value, managed or not; false when the literal stands for no such value.
  static func assign(_ any: Any, _ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Bool
}

extension Persisted: StoredProperty {
  static var customType: Any.Type? { Value.self as? any _StoredAs.Type }
  static var isWrapper: Bool { true }
  static var propertyType: _ValueType { Value._propertyType }
  static func options(_ memory: UnsafeRawPointer) -> PersistedOptions {
    memory.assumingMemoryBound(to: Self.self).pointee.options
  }
  static func originProperty(_ memory: UnsafeRawPointer) -> String? {
    (memory.assumingMemoryBound(to: Self.self).pointee.value as? any DeclaresOrigin)?.origin
  }
  static func unmanagedValue(_ memory: UnsafeRawPointer) -> Any? {
    memory.assumingMemoryBound(to: Self.self).pointee.value
  }
  static func setUnmanaged(_ memory: UnsafeMutableRawPointer, _ any: Any) -> Bool {
    guard let value = Value._convertedProperty(any) else { return false }
    memory.assumingMemoryBound(to: Self.self).pointee.value = value
    memory.assumingMemoryBound(to: Self.self).pointee.isAssigned = true
    return true
  }
  static var instanceOffset: Int? { Value._isStoredInObject ? MemoryLayout<Self>.offset(of: \.value) : nil }
  static func bind(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int) {
    memory.assumingMemoryBound(to: Self.self).pointee.value = nil
  }
  static func promote(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion) {
    Value._promoteWrapper(memory, object, number, promotion)
  }
  static func key(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? {
    Value._keyOfWrapper(memory, view)
  }
}

/// An inverse relationship, which names the linking property.
protocol DeclaresOrigin {
  var origin: String { get }
}
