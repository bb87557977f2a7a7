import DataModel
import StorageEngine

// Properties of older models without a wrapper: `let dogs = List<Dog>()`, `let age = RealmOptional<Int>()`. The model's
// initialiser makes their instances, reflection finds them, and a live object attaches them to its row.

/// A class whose instances are constant properties of models.
protocol ConstantProperty: AnyObject, StoredProperty, TracedConstant {
  /// The stored type of the property.
  static var constantType: _ValueType { get }
  /// The value of the instance as `Any`; collections are their own value.
  var constantValue: Any? { get }
  /// The stored form of the value as a primary key; nil for a type that is no key.
  func constantKey(_ view: RealmView) -> StoredValue?
  /// Sets the value from a literal; false when the literal stands for no such value.
  func take(_ any: Any) -> Bool
  /// Drops the content and shows the field of a row.
  func attach(to access: ClassAccess, _ row: RowKey, _ number: Int)
  /// Writes the content into a row and shows the row's field from then on.
  func promote(constant number: Int, _ promotion: Promotion)
}

extension ConstantProperty {
  var instance: AnyObject? { self }
  static var isWrapper: Bool { false }
  static var customType: Any.Type? { nil }
  static var instanceOffset: Int? { 0 }
  static var propertyType: _ValueType { constantType }
  static func options(_ memory: UnsafeRawPointer) -> PersistedOptions { [] }
  static func originProperty(_ memory: UnsafeRawPointer) -> String? { nil }
  static func key(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? {
    instance(memory).constantKey(view)
  }

  private static func instance(_ memory: UnsafeRawPointer) -> Self {
    memory.assumingMemoryBound(to: Self.self).pointee
  }

  static func unmanagedValue(_ memory: UnsafeRawPointer) -> Any? { instance(memory).constantValue }

  static func setUnmanaged(_ memory: UnsafeMutableRawPointer, _ any: Any) -> Bool { instance(memory).take(any) }

  static func promote(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion) {
    instance(memory).promote(constant: number, promotion)
  }

  static func read(_ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Any? {
    instance(memory).constantValue
  }

  static func assign(_ any: Any, _ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Bool {
    instance(memory).take(any)
  }

  static func bind(_ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int) {
    guard let access = object.state.pointee.access?.takeUnretainedValue() else { return }
    instance(memory).attach(to: access, object.state.pointee.row, number)
  }
}

extension _CollectionProperty {
  static var constantType: _ValueType { _propertyType }
  var constantValue: Any? { self }
  func constantKey(_ view: RealmView) -> StoredValue? { nil }

  func take(_ any: Any) -> Bool {
    guard let other = Self._convertedProperty(any) else { return false }
    _replace(with: other)
    return true
  }

  func attach(to access: ClassAccess, _ row: RowKey, _ number: Int) { _attach(CollectionAccessor(access, row, number)) }

  func promote(constant number: Int, _ promotion: Promotion) { promote(number, promotion, wasAssigned: false) }
}

extension List: ConstantProperty, StoredProperty {}
extension MutableSet: ConstantProperty, StoredProperty {}
extension Map: ConstantProperty, StoredProperty {}

extension ClassBinding {
  /// Attaches the instances that a live object's initialiser made, as in `let dogs = List<Dog>()` and
  /// `@Persisted var dogs = List<Dog>()`, to its row.
  func bindInstances(of object: ObjectBase) {
    let memory = object.memory
    for entry in instances where (memory + Int(entry.offset)).load(as: UInt.self) != 0 {
      let property = properties[Int(entry.number)]
      property.access.bind(memory + property.offset, object, Int(entry.number))
    }
  }
}
