/// Rules for instructions of different levels: the outer one addresses a whole, the inner one a possible part of it.
///
/// Destroying or replacing a container wins over every concurrent edit inside it, older or newer.
enum NestedRules {
  /// Rewrites the inner instruction to follow the outer one; returns whether the inner one is dropped.
  static func merge(
    outer: inout Slot, inner: inout Slot, mode: Transformer.Mode
  ) throws(RuleFailure) -> Bool {
    switch outer.instruction {
    case .addTable, .addColumn, .createObject, .setInsert, .setErase:
      return false

    // CONFLICT: one side removes a class, the other declares columns or edits objects in it.
    //
    // RESOLUTION: the class is gone, and everything in it.
    case .eraseTable:
      return outer.address.table == inner.address.table

    // The pair rules decide between an erased column and the instructions on it.
    case .eraseColumn:
      return false

    // CONFLICT: one side removes an object, the other edits it.
    //
    // RESOLUTION: erase wins, whatever the times say.
    case .eraseObject:
      return outer.address.isSameObject(as: inner.address)

    case .update(let update):
      return replaces(update, outer.address, inner)

    // CONFLICT: one side adds to an integer, the other edits inside a collection in the same mixed value.
    //
    // RESOLUTION: the edit inside is dropped.
    case .addInteger(let add):
      return isPart(inner, of: add.target, at: outer.address)

    // CONFLICT: one side empties a collection, the other edits inside one of its elements.
    //
    // RESOLUTION: the elements are gone; the edit is dropped, whatever the times say.
    case .clear(let clear):
      return isPart(inner, of: clear.target, at: outer.address)

    // CONFLICT: one side inserts an element, the other edits inside an element at or behind that index.
    //
    // RESOLUTION: the edit follows its element one to the right.
    case .arrayInsert(let insert):
      guard let (list, position) = containerIndex(of: insert.target, at: outer.address) else { return false }
      try moveInner(&inner, outer: outer.address, list: list) { index throws(RuleFailure) in
        index >= position ? try increased(index) : index
      }
      return false

    // CONFLICT: one side removes an element, the other edits inside it or inside one behind it.
    //
    // RESOLUTION: the edit inside the removed element is dropped; others follow their element to the left.
    case .arrayErase(let erase):
      if isPart(inner, of: erase.target, at: outer.address) { return true }
      guard let (list, position) = containerIndex(of: erase.target, at: outer.address) else { return false }
      try moveInner(&inner, outer: outer.address, list: list) { index throws(RuleFailure) in
        index > position ? index - 1 : index
      }
      return false

    // CONFLICT: one side moves an element, the other edits inside an element of that list.
    //
    // RESOLUTION: the edit follows its element.
    case .arrayMove(var move):
      guard let (list, source) = containerIndex(of: move.target, at: outer.address) else { return false }
      switch mode {
      case .intended:
        try moveInner(&inner, outer: outer.address, list: list) { index throws(RuleFailure) in
          ListRules.index(index, following: source, to: move.destination)
        }
      case .reference:
        // The reference exchanges the arguments: it changes the source of the move, and the edit keeps its index.
        guard let path = sharedPath(inner, outer: outer.address, list: list) else { return false }
        guard case .index(let index) = path[list.count] else { throw mixedPath }
        move.target.index = ListRules.index(source, following: index, to: move.destination)
        outer.instruction = .arrayMove(move)
      }
      return false
    }
  }

  /// Whether an update replaces everything below its target.
  ///
  /// CONFLICT: one side writes a value, the other edits inside the collection or embedded object that was there.
  ///
  /// RESOLUTION: "there is an embedded object" is compatible with edits in one; "there is a list" with edits of list
  /// elements, "there is a dictionary" with edits under keys. Any other value replaces the whole: edits inside are
  /// dropped, whatever the times say.
  private static func replaces(_ update: Update, _ address: Address, _ inner: Slot) -> Bool {
    guard isPart(inner, of: update.target, at: address),
      let next = inner.instruction.target?.path[update.target.path.count]
    else { return false }
    switch update.payload {
    case .objectValue: return false
    case .list: if case .index = next { return false } else { return true }
    case .dictionary: if case .name = next { return false } else { return true }
    case .null, .erased, .set, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link,
      .objectId, .uuid:
      return true
    }
  }

  /// Whether the outer target is a proper initial part of the inner one.
  private static func isPart(_ inner: Slot, of target: Target, at address: Address) -> Bool {
    guard address.isSameField(as: inner.address), let path = inner.instruction.target?.path else { return false }
    return target.path.isPrefix(of: path)
  }

  private static func containerIndex(of target: Target, at address: Address) -> (list: [PathElement], UInt32)? {
    guard let index = target.index else { return nil }
    return (Array(target.path.dropLast()), index)
  }

  /// The inner path, when it runs through the given list.
  private static func sharedPath(_ inner: Slot, outer: Address, list: [PathElement]) -> [PathElement]? {
    guard outer.isSameField(as: inner.address), let path = inner.instruction.target?.path, list.isPrefix(of: path)
    else { return nil }
    return path
  }

  /// Changes the inner index into the list, when the inner path runs through it.
  private static func moveInner(
    _ inner: inout Slot, outer: Address, list: [PathElement],
    _ change: (UInt32) throws(RuleFailure) -> UInt32
  ) throws(RuleFailure) {
    guard let path = sharedPath(inner, outer: outer, list: list) else { return }
    guard case .index(let index) = path[list.count] else { throw mixedPath }
    let changed = try change(index)
    if changed != index { inner.instruction.updateTarget { $0.path[list.count] = .index(changed) } }
  }

  private static var mixedPath: RuleFailure { .path("a name on one side stands where the other has a list index") }
}
