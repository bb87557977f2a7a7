import DataModel
import StorageEngine
import Synchronization
@_spi(Reflection) import Swift

/// What the store knows of a model class: its stored properties and where they lie in an instance.
///
/// Made once per class and process, by reflection.
final class ClassBinding: @unchecked Sendable {
  // @unchecked: everything but the declaration is set by the initialiser and never changes; the declaration is guarded
  // by its lock. Bindings are never freed.

  let type: ObjectBase.Type
  /// In declaration order, inherited ones first.
  let properties: [BoundProperty]
  /// Where each property keeps an instance of its own that initialisers may make, and which it is: constants, and wrapped
  /// collections. See ``bindInstances(of:)``.
  let instances: UnsafeMutableBufferPointer<(offset: Int32, number: Int32)>
  /// Whether properties are told whose they are, which encoding needs.
  private let isEncodable: Bool
  /// Where each `@Persisted` keeps its number, and which it is.
  private let numbers: UnsafeMutableBufferPointer<(offset: Int32, number: Int32)>
  private let declared = Mutex<ClassDeclaration?>(nil)

  private init(_ type: ObjectBase.Type) {
    self.type = type
    var properties: [BoundProperty] = []
    var seen: Set<Int> = []
    let ignored = Set(type.ignoredProperties())
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, fieldType, _ in
      guard let access = fieldType as? any StoredProperty.Type, seen.insert(offset).inserted else { return true }
      var text = String(cString: name)
      if access.isWrapper, text.hasPrefix("_") { text.removeFirst() }
      // What is ignored stays in memory, also where a search and replace made it a wrapper: its number stays -1.
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

  /// Tells every property of a new instance of a class its number.
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

  /// The class as a schema says it. The first call makes an instance.
  var declaration: ClassDeclaration {
    if let known = declared.withLock({ $0 }) { return known }
    let made = ClassDeclaration(self)
    declared.withLock { $0 = made }
    return made
  }

  // MARK: Finding the binding of a class

  /// The class's slot in ``quick``: all classes that models come to are found with one load and one comparison.
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

  /// Every class that was used so far and wants to be in realms that name no classes.
  static var known: [ClassBinding] {
    all.withLock { Array($0.values) }.filter {
      !$0.properties.isEmpty && $0.type.shouldIncludeInDefaultSchema()
    }.sorted {
      ($0.type.className(), String(reflecting: $0.type)) < ($1.type.className(), String(reflecting: $1.type))
    }
  }

  /// The class of a name that was used so far.
  static func named(_ name: String) -> ObjectBase.Type? {
    all.withLock { Array($0.values) }.first { $0.type.className() == name && !$0.properties.isEmpty }?.type
  }

  // nonisolated(unsafe): a fixed array of atomics, never replaced.
  nonisolated(unsafe) private static let cache = {
    let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 256)
    for slot in 0..<256 { (slots + slot).initialize(to: Atomic(0)) }
    return slots
  }()
}

/// One stored property of a class.
struct BoundProperty: Sendable {
  let name: String
  /// Where it lies in an instance.
  let offset: Int
  let access: any StoredProperty.Type
}

/// A type of stored property as it lies in an instance: a `@Persisted` wrapper, or a collection held by a constant.
protocol StoredProperty: SendableMetatype {
  static var isWrapper: Bool { get }
  static var propertyType: _ValueType { get }
  /// What the attribute says, read from an instance.
  static func options(_ memory: UnsafeRawPointer) -> PersistedOptions
  /// The inverse relationship that an instance declares.
  static func originProperty(_ memory: UnsafeRawPointer) -> String?
  /// The value of an unmanaged object, nil when there never was one.
  static func unmanagedValue(_ memory: UnsafeRawPointer) -> Any?
  /// Sets the value of an unmanaged object from a literal; false when the literal stands for no such value.
  static func setUnmanaged(_ memory: UnsafeMutableRawPointer, _ any: Any) -> Bool
  /// Writes the value of an object that becomes managed.
  static func promote(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
  /// The stored form of an unmanaged object's primary key; a default is settled by that.
  static func key(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue?
  /// The value, managed or not.
  static func read(_ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Any?
  /// Where from its beginning the property keeps an instance that an initialiser may have made; nil when it keeps none.
  static var instanceOffset: Int? { get }
  /// Lets a live object, whose initialiser made an instance, show the row instead.
  static func bind(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int)
  /// Sets the value, managed or not; false when the literal stands for no such value.
  static func assign(_ any: Any, _ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Bool
}

extension Persisted: StoredProperty {
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

/// An inverse relationship, which names a property at the other end.
protocol DeclaresOrigin {
  var origin: String { get }
}
