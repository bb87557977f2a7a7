import DataModel
import StorageEngine
import RecordStore

/// Marks types of which a ``RealmProperty`` can hold one: optionals of plain values, and mixed values.
public protocol RealmPropertyType: RealmCollectionValue {}

extension Optional: RealmPropertyType where Wrapped: _PersistableInsideOptional {}
extension AnyRealmValue: RealmPropertyType {}

/// The content of a box: a value of its own, or a field of a live object.
struct BoxedValue<Value: RealmCollectionValue> {
  private enum Content {
    case own(Value)
    case field(ClassAccess, RowKey, Int)
  }
  private var content: Content
  /// Whether the value was set, rather than being a default.
  private(set) var isAssigned = false

  init(_ value: Value) { content = .own(value) }

  var value: Value {
    get {
      switch content {
      case .own(let value): return value
      case .field(let access, let row, let number):
        let view = access.view
        check(access, row)
        let stored = view.reading(or: .null) {
          try view.readView.value(Cell(access.layout, row, access.fields[number].layout))
        }
        guard let kind = stored.collectionKind else { return Value._decoded(stored, view) }
        return Value._decoded(stored, in: CollectionAccessor(access, row, number, kind, []), .itself)
      }
    }
    set {
      switch content {
      case .own:
        content = .own(newValue)
        isAssigned = true
      case .field(let access, let row, let number):
        check(access, row)
        rule(access.view.isWriting, "Cannot modify managed objects outside of a write transaction.")
        rule(
          !access.fields[number].isKey,
          "Cannot modify primary key '\(access.fields[number].property.name)'. Primary key can't be changed after an object is inserted."
        )
        access.view.set(newValue._encoded(access.view), access.fields[number], row, access)
      }
    }
  }

  private func check(_ access: ClassAccess, _ row: RowKey) {
    access.view.checkConfinement()
    let view = access.view
    let lives = view.reading(or: true) { try view.readerIfAny?.contains(row, in: access.layout.table) ?? false }
    rule(lives || view.faults.isFaulty, "Object has been deleted or invalidated.")
  }

  mutating func attach(_ access: ClassAccess, _ row: RowKey, _ number: Int) { content = .field(access, row, number) }

  mutating func promote(_ number: Int, _ promotion: Promotion) {
    guard case .own(let value) = content else { return }
    promotion.isDefault = !isAssigned
    content = .field(promotion.access, promotion.row, number)
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    promotion.write(value._encoded(promotion.view), promotion.access.fields[number])
  }
}

/// An optional or mixed value in a model that does not use `@Persisted`.
///
///     let age = RealmProperty<Int?>()
///     person.age.value = 36
public final class RealmProperty<Value: RealmPropertyType>: Equatable {
  private var boxed: BoxedValue<Value>

  /// A box with nil, or `.none`.
  public init() {
    guard let value = Value._converted(Optional<Int>.none as Any) else {
      violated("A RealmProperty holds an optional or an AnyRealmValue.")
    }
    boxed = BoxedValue(value)
  }

  /// The value; in a live object, that of its row. Setting it there needs a write transaction.
  public var value: Value {
    get { boxed.value }
    set { boxed.value = newValue }
  }

  /// Whether the values are equal.
  public static func == (left: RealmProperty, right: RealmProperty) -> Bool { left.value == right.value }
}

extension RealmProperty: ConstantProperty, StoredProperty {
  static var constantType: _ValueType { Value._valueType }
  func constantKey(_ view: RealmView) -> StoredValue? { value._encoded(view) }
  var constantValue: Any? { (value as? any AnyOptional).map { $0.unwrapped } ?? value }
  func take(_ any: Any) -> Bool {
    guard let converted = Value._converted(any) else { return false }
    value = converted
    return true
  }
  func attach(to access: ClassAccess, _ row: RowKey, _ number: Int) { boxed.attach(access, row, number) }
  func promote(constant number: Int, _ promotion: Promotion) { boxed.promote(number, promotion) }
}

/// An optional number in a model that does not use `@Persisted`. ``RealmProperty`` holds more types.
///
///     let age = RealmOptional<Int>()
///     person.age.value = 36
public final class RealmOptional<Value: RealmOptionalType>: Equatable {
  private var boxed: BoxedValue<Value?>

  /// A box with a value, nil unless given.
  public init(_ value: Value? = nil) { boxed = BoxedValue(value) }

  /// The value; in a live object, that of its row. Setting it there needs a write transaction.
  public var value: Value? {
    get { boxed.value }
    set { boxed.value = newValue }
  }

  /// Whether the values are equal.
  public static func == (left: RealmOptional, right: RealmOptional) -> Bool { left.value == right.value }
}

extension RealmOptional: ConstantProperty, StoredProperty {
  static var constantType: _ValueType { Value?._valueType }
  var constantValue: Any? { value }
  func constantKey(_ view: RealmView) -> StoredValue? { value._encoded(view) }
  func take(_ any: Any) -> Bool {
    guard let converted = Value?._converted(any) else { return false }
    value = converted
    return true
  }
  func attach(to access: ClassAccess, _ row: RowKey, _ number: Int) { boxed.attach(access, row, number) }
  func promote(constant number: Int, _ promotion: Promotion) { boxed.promote(number, promotion) }
}
