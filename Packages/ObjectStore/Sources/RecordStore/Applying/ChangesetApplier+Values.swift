import ChangesetOT
import DataModel
import StorageEngine

/// The type of values at a resolved target.
struct ValueType {
  let type: PropertyType
  let isNullable: Bool
  /// As ``FieldLayout/target``.
  let target: String?

  init(_ field: FieldLayout) {
    type = field.type
    // A missing link is null in a field and in a dictionary; lists and sets hold only links to something.
    let isLinkSlot = field.type == .object && (field.collection == .single || field.collection == .dictionary)
    isNullable = field.isNullable || isLinkSlot || field.type == .any
    target = field.target
  }

  private init(type: PropertyType, isNullable: Bool, target: String?) {
    self.type = type
    self.isNullable = isNullable
    self.target = target
  }

  /// A place inside a mixed value.
  static let mixed = ValueType(type: .any, isNullable: true, target: nil)
}

extension ChangesetApplier {
  /// The stored form of a payload that must fit a type; embedded objects and erasure are not for here.
  ///
  /// - Parameter createsNames: whether a link to an object that does not exist leaves a name for it. Without, such a
  ///   link gives nil.
  func stored(_ payload: Payload, fitting type: ValueType, createsNames: Bool = true) throws -> StoredValue? {
    switch payload {
    case .null:
      guard type.isNullable else { throw Refusal(.notNullable) }
      return .null
    case .list, .dictionary:
      guard type.type == .any else { throw Refusal(.misplacedCollection, "only a mixed value can be a collection") }
      return payload == .list ? .list([]) : .dictionary([:])
    case .objectValue: throw Refusal(.misplacedEmbeddedObject)
    case .erased: throw Refusal(.misplacedErasure)
    case .set: throw Refusal(.misplacedCollection, "mixed values hold no sets")
    case .link(let reference):
      guard type.type == .any || type.type == .object else { throw Refusal(.otherType) }
      if let target = type.target, !target.isEmpty, target != reference.className {
        throw Refusal(.otherLinkTarget)
      }
      let layout = try keyedLayout(reference)
      if createsNames { return .link(layout.table, try writer.linkRow(reference.key, layout)) }
      let row = try writer.readView.row(reference.key, layout) ?? writer.unresolvedRow(reference.key, layout)
      return row.map { .link(layout.table, $0) }
    default:
      guard let value = payload.value.flatMap({ StoredValue($0) }) else { throw Refusal(.otherType) }
      guard type.type == .any || PropertyType(payload.type) == type.type else {
        throw Refusal(.otherType)
      }
      return value
    }
  }

  /// A new value of a place that is set to `payload`: a collection of the same kind is kept.
  private func replaced(_ old: StoredValue, by payload: Payload) throws -> StoredValue {
    old.isKept(by: payload) ? old : try stored(payload, fitting: .mixed) ?? .null
  }

  func update(_ it: Update) throws {
    let place = try place(it.target)
    switch (place.cell.field.collection, place.rest.count) {
    case (.single, 0): try updateField(it.payload, place)
    case (.list, 1): try updateElement(it, place)
    case (.dictionary, 1): try updateEntry(it.payload, place)
    case (.list, 0), (.dictionary, 0), (.set, _): throw Refusal(.wholeCollectionWritten)
    default: try updateNested(it, place)
    }
  }

  private func updateField(_ payload: Payload, _ place: ResolvedTarget) throws {
    let old = try writer.readView.value(place.cell)
    if embeddedClass(place.cell.field) != nil {
      switch payload {
      case .objectValue:
        if old == .null { _ = try writer.createEmbedded(place.cell) }
      case .null: try writer.assign(.null, place.cell)
      default: throw Refusal(.embeddedObjectLinked)
      }
      return
    }
    try writer.work.charge(old.steps)
    guard !old.isKept(by: payload) else { return }
    let value = try stored(payload, fitting: ValueType(place.cell.field)) ?? .null
    try writer.assign(value, place.cell)
  }

  private func updateElement(_ it: Update, _ place: ResolvedTarget) throws {
    guard case .index(let index)? = place.rest.last else { throw Refusal(.indexMissing) }
    let list = try writer.readView.list(place.cell)
    try check(index, below: list.count, it.priorSize, list.count)
    if it.payload == .objectValue { return }
    guard embeddedClass(place.cell.field) == nil else { throw Refusal(.embeddedObjectLinked) }
    let old = try list.element(at: Int(index))
    try writer.work.charge(old.steps)
    guard !old.isKept(by: it.payload) else { return }
    let value = try stored(it.payload, fitting: ValueType(place.cell.field)) ?? .null
    try writer.assignElement(value, at: Int(index), place.cell)
  }

  private func updateEntry(_ payload: Payload, _ place: ResolvedTarget) throws {
    guard case .name(let key)? = place.rest.last else { throw Refusal(.nameMissing) }
    try writer.work.charge(text: key)
    let cell = place.cell
    if payload == .erased { return try writer.removeEntry(for: key, cell) }
    if embeddedClass(cell.field) != nil, payload != .null {
      guard payload == .objectValue else { throw Refusal(.embeddedObjectLinked) }
      _ = try writer.createEmbedded(for: key, cell)
      return
    }
    let bytes = Array(key.utf8)
    let old = try writer.readView.map(cell).value(for: bytes) ?? .null
    try writer.work.charge(old.steps)
    guard !old.isKept(by: payload) else { return }
    try writer.assignEntry(try stored(payload, fitting: ValueType(cell.field)) ?? .null, for: bytes, cell)
  }

  private func updateNested(_ it: Update, _ place: ResolvedTarget) throws {
    try editMixed(place, path: place.rest.dropLast()) { container in
      let isInside: Void?
      switch place.rest.last {
      case .index(let index)?:
        isInside = try container.changeElements { elements in
          try check(index, below: elements.count, it.priorSize, elements.count)
          if it.payload == .objectValue { return }
          elements[Int(index)] = try replaced(elements[Int(index)], by: it.payload)
        }
      case .name(let key)?:
        isInside = try container.changeEntries { entries in
          entries[key] = it.payload == .erased ? nil : try replaced(entries[key] ?? .null, by: it.payload)
        }
      case nil: isInside = nil
      }
      if isInside == nil { throw Refusal(.pathMismatch) }
    }
  }

  func addInteger(_ it: AddInteger) throws {
    let place = try place(it.target)
    guard place.cell.field.collection == .single, place.rest.isEmpty else { throw Refusal(.notAField) }
    switch try writer.readView.value(place.cell) {
    case .null: break
    case .int: try writer.add(it.amount, place.cell)
    default: throw Refusal(.notAnInteger)
    }
  }

  /// Checks an index and the size that its author saw.
  func check(_ index: UInt32, below bound: Int, _ priorSize: UInt32?, _ size: Int) throws {
    guard priorSize.map(Int.init) == size else {
      throw Refusal(.otherSize, "the list has \(size) elements, not \(priorSize.map(String.init) ?? "none")")
    }
    guard Int(index) < bound else { throw Refusal(.indexOutOfRange) }
  }
}

extension StoredValue {
  /// Whether a place that is set to `payload` keeps what it holds: a collection of that kind.
  fileprivate func isKept(by payload: Payload) -> Bool {
    switch (payload, self) {
    case (.list, .list), (.dictionary, .dictionary): true
    default: false
    }
  }
}
