import ChangesetOT
import DataModel
import StorageEngine

extension ChangesetApplier {
  func arrayInsert(_ it: ArrayInsert) throws {
    let place = try place(it.target)
    if place.cell.field.collection == .list, place.rest.count == 1 {
      let index = try index(place, it.priorSize, extra: 1)
      if embeddedClass(place.cell.field) != nil {
        guard it.payload == .objectValue else { throw Refusal(.embeddedObjectLinked) }
        _ = try writer.insertEmbedded(at: index, place.cell)
        return
      }
      let value = try stored(it.payload, fitting: ValueType(place.cell.field)) ?? .null
      return try writer.insert(value, at: index, place.cell)
    }
    try editNestedList(place, it.priorSize, extra: 1) { elements, index in
      elements.insert(try stored(it.payload, fitting: .mixed) ?? .null, at: index)
    }
  }

  func arrayMove(_ it: ArrayMove) throws {
    let place = try place(it.target)
    func check(_ index: Int, _ size: Int) throws {
      guard Int(it.destination) < size else { throw Refusal(.destinationOutOfRange) }
      guard Int(it.destination) != index else { throw Refusal(.idleMove) }
    }
    if place.cell.field.collection == .list, place.rest.count == 1 {
      let index = try index(place, it.priorSize)
      try check(index, Int(it.priorSize))
      return try writer.moveElement(from: index, to: Int(it.destination), place.cell)
    }
    try editNestedList(place, it.priorSize) { elements, index in
      try check(index, elements.count)
      elements.insert(elements.remove(at: index), at: Int(it.destination))
    }
  }

  func arrayErase(_ it: ArrayErase) throws {
    let place = try place(it.target)
    if place.cell.field.collection == .list, place.rest.count == 1 {
      let index = try index(place, it.priorSize)
      return try writer.removeElement(at: index, place.cell)
    }
    try editNestedList(place, it.priorSize) { elements, index in elements.remove(at: index) }
  }

  func clear(_ it: Clear) throws {
    let place = try place(it.target)
    if place.rest.isEmpty, place.cell.field.collection != .single {
      guard place.cell.field.collection == it.collection else { throw Refusal(.otherCollection) }
      return try writer.clearCollection(place.cell)
    }
    try restoreEntry(place)
    try editMixed(place, path: place.rest[...]) { value in
      switch it.collection {
      case .list: value = .list([])
      case .dictionary: value = .dictionary([:])
      case .single, .set: throw Refusal(.misplacedCollection, "mixed values hold no such collection")
      }
    }
  }

  /// A later clear wins over the removal of its dictionary key, and brings the key back.
  private func restoreEntry(_ place: ResolvedTarget) throws {
    guard case .name(let key)? = place.rest.last, place.cell.field.type == .any,
      try nestedValue(place) == nil
    else { return }
    if place.rest.count == 1, place.cell.field.collection == .dictionary {
      return try writer.assignEntry(.null, for: Array(key.utf8), place.cell)
    }
    try editMixed(place, path: place.rest.dropLast()) { container in
      container.changeEntries { $0[key] = .null }
    }
  }

  func changeSet(_ target: Target, _ payload: Payload, inserting: Bool) throws {
    let place = try place(target)
    guard place.cell.field.collection == .set, place.rest.isEmpty else { throw Refusal(.notASet) }
    switch payload {
    case .list, .dictionary: throw Refusal(.misplacedCollection, "sets hold no collections")
    default: break
    }
    guard let value = try stored(payload, fitting: ValueType(place.cell.field), createsNames: inserting) else { return }
    if case .link(let object) = payload {
      try writer.settleMember(value, named: object.key, place.cell)
    }
    if inserting {
      try writer.insertMember(value, place.cell)
    } else {
      try writer.removeMember(value, place.cell)
    }
  }

  /// The checked index at the end of a path into a list field.
  private func index(_ place: ResolvedTarget, _ priorSize: UInt32, extra: Int = 0) throws -> Int {
    guard case .index(let index)? = place.rest.last else { throw Refusal(.indexMissing) }
    let size = try writer.readView.list(place.cell).count
    try check(index, below: size + extra, priorSize, size)
    return Int(index)
  }

  private func editNestedList(
    _ place: ResolvedTarget, _ priorSize: UInt32, extra: Int = 0, _ change: (inout [StoredValue], Int) throws -> Void
  ) throws {
    guard case .index(let index)? = place.rest.last else { throw Refusal(.indexMissing) }
    try editMixed(place, path: place.rest.dropLast()) { container in
      let isList: Void? = try container.changeElements { elements in
        try check(index, below: elements.count + extra, priorSize, elements.count)
        try change(&elements, Int(index))
      }
      if isList == nil { throw Refusal(.notAList) }
    }
  }
}
