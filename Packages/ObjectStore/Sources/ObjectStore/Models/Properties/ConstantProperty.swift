import DataModel
import StorageEngine

// Properties that older models declare without a wrapper: `let dogs = List<Dog>()`, `let age = RealmOptional<Int>()`.
// Their instance is made by the model's initialiser, found by reflection, and attached when the object is live.

/// A class whose instances stand as constants in models.
protocol ConstantProperty: AnyObject, StoredProperty, TracedConstant {
  /// What the property is.
  static var constantType: _ValueType { get }
  /// The value of the instance as `Any`; collections are their own value.
  var constantValue: Any? { get }
  /// The stored form of the value as a primary key; nil where it can be none.
  func constantKey(_ view: RealmView) -> StoredValue?
  /// Takes over the value that a literal stands for; false when it stands for none.
  func take(_ any: Any) -> Bool
  /// Drops what is in it and shows what a field holds.
  func attach(to access: ClassAccess, _ row: RowKey, _ number: Int)
  /// Writes what is in it into a row and shows the row's field from then on.
  func promote(constant number: Int, _ promotion: Promotion)
}

extension ConstantProperty {
  var instance: AnyObject? { self }
  static var isWrapper: Bool { false }
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
  /// Lets a live object show its row wherever its initialiser made an instance, as `let dogs = List<Dog>()` and
  /// `@Persisted var dogs = List<Dog>()` do.
  func bindInstances(of object: ObjectBase) {
    let memory = object.memory
    for entry in instances where (memory + Int(entry.offset)).load(as: UInt.self) != 0 {
      let property = properties[Int(entry.number)]
      property.access.bind(memory + property.offset, object, Int(entry.number))
    }
  }
}
