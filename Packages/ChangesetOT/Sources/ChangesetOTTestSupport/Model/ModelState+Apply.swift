public import ChangesetOT
import DataModel

/// The reason for which an instruction cannot be applied.
struct Refusal: Error {
  var reason: String
  init(_ reason: String) { self.reason = reason }
}

extension ModelState {
  /// Applies one instruction.
  ///
  /// - Throws: ``ModelError`` when the instruction does not fit the state.
  public mutating func apply(_ instruction: Instruction) throws(ModelError) {
    do {
      try perform(instruction)
    } catch {
      throw ModelError(reason: error.reason, instruction: instruction)
    }
  }

  private mutating func perform(_ instruction: Instruction) throws(Refusal) {
    let types = self.types
    switch instruction {
    case .addTable(let it): try addTable(it)
    case .eraseTable(let it): try eraseTable(it.table)
    case .addColumn(let it): try addColumn(it)
    case .eraseColumn(let it): try eraseColumn(it)
    case .createObject(let it):
      guard let rows = objects[it.object.className] else { throw Refusal("no such class") }
      if rows[it.object.key] == nil {
        objects[it.object.className]?[it.object.key] = types.initialFields(of: it.object.className)
      }
    case .eraseObject(let it):
      guard objects[it.object.className] != nil else { throw Refusal("no such class") }
      objects[it.object.className]?[it.object.key] = nil
    case .update(let it): try update(it)
    case .addInteger(let it): try addInteger(it)
    case .arrayInsert(let it):
      try editList(it.target, it.priorSize) { items, index, column throws(Refusal) in
        guard index <= items.count else { throw Refusal("index out of range") }
        items.insert(try types.newElement(it.payload, column), at: index)
      }
    case .arrayMove(let it):
      try editList(it.target, it.priorSize) { items, index, _ throws(Refusal) in
        let destination = Int(it.destination)
        guard index < items.count, destination < items.count, index != destination else {
          throw Refusal("move out of range or in place")
        }
        items.insert(items.remove(at: index), at: destination)
      }
    case .arrayErase(let it):
      try editList(it.target, it.priorSize) { items, index, _ throws(Refusal) in
        guard index < items.count else { throw Refusal("index out of range") }
        items.remove(at: index)
      }
    case .clear(let it): try clear(it)
    case .setInsert(let it):
      try editSet(it.target) { values, column throws(Refusal) in
        try types.require(it.payload, fits: column)
        values.insert(it.payload)
      }
    case .setErase(let it): try editSet(it.target) { values, _ throws(Refusal) in values.remove(it.payload) }
    }
  }

  private mutating func update(_ it: Update) throws(Refusal) {
    let payload = it.payload
    let types = self.types
    switch it.target.path.last {
    case nil:
      try edit(it.target.object, it.target.field, []) { value, column throws(Refusal) in
        value = try types.fieldValue(payload, column, old: value)
      }
    case .index(let index)?:
      try edit(it.target) { value, column throws(Refusal) in
        guard case .list(var items) = value else { throw Refusal("not a list") }
        guard it.priorSize.map(Int.init) == items.count else { throw Refusal("prior size differs") }
        guard Int(index) < items.count else { throw Refusal("index out of range") }
        if payload == .objectValue { return }
        items[Int(index)] = try types.fieldValue(payload, column.inner(of: value), old: items[Int(index)])
        value = .list(items)
      }
    case .name(let name)?:
      try edit(it.target) { value, column throws(Refusal) in
        switch value {
        case .object(var fields):
          guard let inner = types.classes[column.linkTarget ?? ""]?.columns[name] else {
            throw Refusal("no such field")
          }
          fields[name] = try types.fieldValue(payload, inner, old: fields[name] ?? inner.initialValue())
          value = .object(fields)
        case .dictionary(var entries):
          let inner = column.inner(of: value)
          switch payload {
          case .erased: entries[name] = nil
          case .objectValue: entries[name] = try types.newElement(payload, inner)
          default: entries[name] = try types.fieldValue(payload, inner, old: entries[name] ?? .null)
          }
          value = .dictionary(entries)
        default: throw Refusal("neither dictionary nor embedded object")
        }
      }
    }
  }

  private mutating func addInteger(_ it: AddInteger) throws(Refusal) {
    try edit(it.target.object, it.target.field, it.target.path[...]) { value, _ throws(Refusal) in
      switch value {
      case .scalar(.null): break
      case .scalar(.int(let old)): value = .scalar(.int(old &+ it.amount))
      default: throw Refusal("not an integer")
      }
    }
  }

  private mutating func clear(_ it: Clear) throws(Refusal) {
    // A later clear wins over the removal of its dictionary key, and brings the key back.
    if case .name(let name)? = it.target.path.last {
      try edit(it.target) { value, column throws(Refusal) in
        guard case .dictionary(var entries) = value, entries[name] == nil else { return }
        entries[name] = .null
        value = .dictionary(entries)
      }
    }
    try edit(it.target.object, it.target.field, it.target.path[...]) { value, column throws(Refusal) in
      if column.collection == .single {
        guard column.type == nil else { throw Refusal("not a collection") }
        switch it.collection {
        case .list: value = .list([])
        case .dictionary: value = .dictionary([:])
        case .single, .set: throw Refusal("no such collection in mixed")
        }
      } else {
        guard column.collection == it.collection else { throw Refusal("another kind of collection") }
        value = column.initialValue()
      }
    }
  }

  private mutating func editList(
    _ target: Target, _ priorSize: UInt32,
    _ change: (inout [ModelValue], Int, ModelColumn) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard case .index(let index)? = target.path.last else { throw Refusal("no list index") }
    try edit(target) { value, column throws(Refusal) in
      guard case .list(var items) = value else { throw Refusal("not a list") }
      guard Int(priorSize) == items.count else { throw Refusal("prior size differs from \(items.count)") }
      try change(&items, Int(index), column.inner(of: value))
      value = .list(items)
    }
  }

  private mutating func editSet(
    _ target: Target, _ change: (inout Set<Payload>, ModelColumn) throws(Refusal) -> Void
  ) throws(Refusal) {
    try edit(target.object, target.field, target.path[...]) { value, column throws(Refusal) in
      guard case .set(var values) = value else { throw Refusal("not a set") }
      try change(&values, column.element)
      value = .set(values)
    }
  }
}
