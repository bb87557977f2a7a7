public import DataModel

extension Changeset {
  /// Replaces provisional keys by global ones.
  ///
  /// An object without primary key that was created before its file had an ident has a provisional key: a global key with
  /// a high half of 0, "of this file". It is unique only together with the author. With the author's ident as high half it
  /// is unique among all files.
  ///
  ///     var changeset = try Changeset(decoding: bytes, origin: ChangesetOrigin(timestamp: time, file: FileIdent(5)))
  ///     changeset.resolveProvisionalKeys()        // true: Log[{0, 3}] became Log[{5, 3}]
  ///
  /// - Returns: whether the changeset had provisional keys; false, with nothing changed, when the origin has no ident.
  /// - Complexity: O(*n*) in the number of instructions.
  @discardableResult
  public mutating func resolveProvisionalKeys() -> Bool {
    guard origin.file != .none else { return false }
    var isChanged = false
    for (number, instruction) in instructions.enumerated() {
      guard let resolved = instruction.renamingObjects({ $0.key.resolved(for: origin.file) }) else { continue }
      instructions[number] = resolved
      isChanged = true
    }
    return isChanged
  }

  /// Replaces provisional keys by global ones of the origin with numbers of the caller's choice: for changesets that were recorded
  /// in a passing copy, whose own numbers may repeat.
  ///
  /// - Parameter number: the number for an object, below 2^32; asked once for each.
  /// - Throws: the error of `number`; nothing is changed then.
  /// - Complexity: O(*n*) in the number of instructions.
  public mutating func renumberProvisionalKeys(_ number: (ObjectReference) throws -> UInt64) rethrows {
    guard origin.file != .none else { return }
    var keys: [ObjectReference: ObjectKey] = [:]
    for instruction in instructions {
      _ = instruction.renamingObjects { object in
        if case .global(let key) = object.key, key.high == 0 { keys[object] = object.key }
        return nil
      }
    }
    for object in keys.keys { keys[object] = .global(GlobalKey(high: origin.file.rawValue, low: try number(object))) }
    guard !keys.isEmpty else { return }
    for (index, instruction) in instructions.enumerated() {
      if let renamed = instruction.renamingObjects({ keys[$0] }) { instructions[index] = renamed }
    }
  }
}

extension ObjectKey {
  /// The global key for a provisional key of `file`; nil when the key is not provisional, or `file` is none.
  public func resolved(for file: FileIdent) -> ObjectKey? {
    guard case .global(let key) = self, key.high == 0, file != .none else { return nil }
    return .global(GlobalKey(high: file.rawValue, low: key.low))
  }
}

extension Instruction {
  /// Whether the instruction addresses or links to an object by a provisional key.
  var hasProvisionalKeys: Bool { renamingObjects { $0.key.resolved(for: .server) } != nil }

  /// The instruction with new keys for the objects that it addresses or links to; nil when `newKey` is nil for all.
  fileprivate func renamingObjects(_ newKey: (ObjectReference) -> ObjectKey?) -> Instruction? {
    func rename(_ object: inout ObjectReference) -> Bool {
      guard let key = newKey(object) else { return false }
      object.key = key
      return true
    }
    func rename(_ target: inout Target, _ payload: inout Payload) -> Bool {
      let isElsewhere = rename(&target.object)
      guard case .link(var object) = payload, rename(&object) else { return isElsewhere }
      payload = .link(object)
      return true
    }
    switch self {
    case .addTable, .eraseTable, .addColumn, .eraseColumn: return nil
    case .createObject(var it): return rename(&it.object) ? .createObject(it) : nil
    case .eraseObject(var it): return rename(&it.object) ? .eraseObject(it) : nil
    case .update(var it): return rename(&it.target, &it.payload) ? .update(it) : nil
    case .arrayInsert(var it): return rename(&it.target, &it.payload) ? .arrayInsert(it) : nil
    case .setInsert(var it): return rename(&it.target, &it.payload) ? .setInsert(it) : nil
    case .setErase(var it): return rename(&it.target, &it.payload) ? .setErase(it) : nil
    case .addInteger(var it): return rename(&it.target.object) ? .addInteger(it) : nil
    case .arrayMove(var it): return rename(&it.target.object) ? .arrayMove(it) : nil
    case .arrayErase(var it): return rename(&it.target.object) ? .arrayErase(it) : nil
    case .clear(var it): return rename(&it.target.object) ? .clear(it) : nil
    }
  }
}
