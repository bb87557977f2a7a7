public import DataModel

extension Changeset {
  /// Names objects of the author as everybody names them.
  ///
  /// An object without primary key that was made before its file had an ident has a key with a high half of 0: "of this
  /// file". That says something only together with the author, and two files say it of different objects. With the ident of
  /// the author in its place no other file ever makes the key.
  ///
  ///     var changeset = try Changeset(decoding: bytes, origin: ChangesetOrigin(timestamp: time, file: FileIdent(5)))
  ///     changeset.resolveProvisionalKeys()        // true: Log[{0, 3}] became Log[{5, 3}]
  ///
  /// - Returns: whether there were such keys. Never when the origin has no ident.
  /// - Complexity: O(*n*) in the number of instructions.
  @discardableResult
  public mutating func resolveProvisionalKeys() -> Bool {
    guard origin.file != .none else { return false }
    var isChanged = false
    for (number, instruction) in instructions.enumerated() {
      guard let named = instruction.renamingObjects({ $0.key.resolved(for: origin.file) }) else { continue }
      instructions[number] = named
      isChanged = true
    }
    return isChanged
  }
}

extension ObjectKey {
  /// The key that everybody uses for what `file` calls so; nil when it is this one.
  public func resolved(for file: FileIdent) -> ObjectKey? {
    guard case .global(let key) = self, key.high == 0, file != .none else { return nil }
    return .global(GlobalKey(high: file.rawValue, low: key.low))
  }
}

extension Instruction {
  /// Whether an object that it changes or links to is named as one of its author's file.
  var hasProvisionalKeys: Bool { renamingObjects { $0.key.resolved(for: .server) } != nil }

  /// The instruction with other keys for the objects that it changes or links to; nil when none of them gets another one.
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
