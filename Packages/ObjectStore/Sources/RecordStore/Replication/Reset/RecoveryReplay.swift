import ChangesetOT
import DataModel
import StorageEngine

/// Does again, on the server's state, what local transactions did, as far as that still makes sense; what is really done
/// is recorded by the writer.
///
/// Objects are created if absent and erased if present; fields of objects that exist are set; list elements are inserted;
/// whatever depends on indices or nested values that may be others' is taken over from the local file as a whole.
final class RecoveryReplay {
  /// Changes the server's state.
  let writer: StoreWriter
  /// The local file as it is.
  let live: ReadView
  /// Whether an object that is missing on the server but present locally is made again, because the server forgot it
  /// rather than a client deleted it.
  let resurrects: Bool
  private(set) var lost: [LostChange] = []
  private var lists = RecoveredLists()
  private var applier: ChangesetApplier { ChangesetApplier(writer: writer) }

  init(writer: StoreWriter, live: ReadView, resurrects: Bool) {
    self.writer = writer
    self.live = live
    self.resurrects = resurrects
  }

  /// Replays one local transaction.
  func replay(_ changeset: Changeset, of entry: ClientLogEntry, at version: ClientVersion) throws {
    for instruction in changeset.instructions {
      do {
        try replay(instruction)
      } catch let refusal as Refusal {
        lost.append(LostChange(instruction, entry, version, refusal.reason))
      }
    }
  }

  /// Takes over what could not be replayed step by step. To be called once, after the last changeset.
  func finish() throws {
    let transfer = StateTransfer(source: live, target: writer, keepsUnresolved: false)
    for place in lists.copies {
      guard let layout = live.catalog[place.object.className], let field = layout.field(place.field),
        let row = try live.row(place.object.key, layout), let twinLayout = writer.catalog[place.object.className],
        let same = twinLayout.field(place.field), let twin = try writer.readView.row(place.object.key, twinLayout)
      else { continue }
      try transfer.transfer(Cell(layout, row, field), to: Cell(twinLayout, twin, same))
    }
  }

  private func replay(_ instruction: Instruction) throws {
    if let object = instruction.object, writer.catalog[object.className]?.kind == .asymmetric {
      return try send(instruction)
    }
    switch instruction {
    case .addTable, .addColumn: try applier.apply(instruction)
    case .eraseTable, .eraseColumn: throw Refusal("a synced realm keeps its classes and fields")
    case .createObject(let it): try create(it.object)
    case .eraseObject: try applier.apply(instruction)
    case .update(let it): try update(it)
    case .addInteger(let it): try add(it)
    case .arrayInsert(let it): try insert(it)
    case .arrayMove(let it): try move(it)
    case .arrayErase(let it): try erase(it)
    case .clear(let it): try clear(it)
    case .setInsert(let it): try changeSet(it.target, it.payload, inserting: true)
    case .setErase(let it): try changeSet(it.target, it.payload, inserting: false)
    }
  }

  // MARK: Objects

  /// Records what was done to an object that is only sent as it stands, if it fits: nobody else writes to the object, and the
  /// local file has nothing of it that could be taken over.
  private func send(_ instruction: Instruction) throws {
    try writer.unrecorded { try applier.apply(instruction) }
    writer.recorder?.append(instruction)
  }

  private func create(_ object: ObjectReference) throws {
    let layout = try applier.keyedLayout(object)
    guard try writer.readView.row(object.key, layout) == nil else { return }
    _ = try writer.create(object.key, layout)
    for field in layout.fields where field.collection == .list {
      lists.becameExact(RecoveredLists.ListField(object: object, field: field.name))
    }
  }

  /// The object that a target names, and the field of it.
  private func find(_ target: Target) throws -> Cell {
    let layout = try applier.keyedLayout(target.object)
    guard let field = layout.field(target.field) else { throw Refusal("no field \(target.field)") }
    guard layout.keyField?.column != field.column else { throw Refusal("the key of an object never changes") }
    if let row = try writer.readView.row(target.object.key, layout) { return Cell(layout, row, field) }
    guard resurrects, let old = live.catalog[layout.name], try live.row(target.object.key, old) != nil else {
      throw Refusal("the object no longer exists on the server")
    }
    let row = try writer.create(target.object.key, layout)
    for field in layout.fields where layout.keyField?.column != field.column {
      lists.copy(RecoveredLists.ListField(object: target.object, field: field.name))
    }
    return Cell(layout, row, field)
  }

  /// Takes the whole field over from the local file, later.
  private func copy(_ target: Target) {
    lists.copy(RecoveredLists.ListField(object: target.object, field: target.field))
  }

  private func isPlain(_ payload: Payload) -> Bool {
    switch payload {
    case .list, .dictionary, .set, .objectValue, .erased: false
    default: true
    }
  }

  private func isEmbedded(_ field: FieldLayout) -> Bool { applier.embeddedClass(field) != nil }

  /// The stored form; nil for a link to an object that is gone.
  private func stored(_ payload: Payload, _ field: FieldLayout) throws -> StoredValue? {
    if case .link(let reference) = payload {
      let layout = try applier.keyedLayout(reference)
      if try writer.readView.row(reference.key, layout) == nil { return nil }
    }
    return try applier.stored(payload, fitting: ValueType(field), createsNames: false)
  }

  // MARK: Values

  private func update(_ it: Update) throws {
    let cell = try find(it.target)
    let place = RecoveredLists.ListField(object: it.target.object, field: it.target.field)
    guard !lists.isCopied(place) else { return }
    switch (cell.field.collection, it.target.path.count) {
    case (.single, 0) where isPlain(it.payload) && !isEmbedded(cell.field):
      try writer.set(try stored(it.payload, cell.field) ?? .null, cell, isDefault: it.isDefault)
    case (.dictionary, 1) where (isPlain(it.payload) || it.payload == .erased) && !isEmbedded(cell.field):
      guard case .name(let key)? = it.target.path.first else { throw Refusal("an entry of a dictionary has a name") }
      if it.payload == .erased { return try writer.removeEntry(for: key, cell) }
      try writer.setEntry(try stored(it.payload, cell.field) ?? .null, for: key, cell)
    case (.list, 1) where isPlain(it.payload) && !isEmbedded(cell.field):
      guard case .index(let index)? = it.target.path.first else { throw Refusal("an element has an index") }
      let size = try writer.readView.list(cell).count
      guard let position = lists.position(of: Int(index), size: size, place),
        let value = try stored(it.payload, cell.field)
      else { return copy(it.target) }
      try writer.setElement(value, at: position, cell)
    default: copy(it.target)
    }
  }

  private func add(_ it: AddInteger) throws {
    let cell = try find(it.target)
    guard it.target.path.isEmpty, cell.field.collection == .single,
      !lists.isCopied(RecoveredLists.ListField(object: it.target.object, field: it.target.field))
    else { return copy(it.target) }
    guard case .int = try writer.readView.value(cell) else {
      throw Refusal("the value is no integer any more")
    }
    try writer.add(it.amount, cell)
  }

  // MARK: Collections

  private func insert(_ it: ArrayInsert) throws {
    let cell = try find(it.target)
    let place = RecoveredLists.ListField(object: it.target.object, field: it.target.field)
    guard !lists.isCopied(place) else { return }
    guard cell.field.collection == .list, it.target.path.count == 1, case .index(let index)? = it.target.path.first,
      isPlain(it.payload), !isEmbedded(cell.field), let value = try stored(it.payload, cell.field)
    else { return copy(it.target) }
    let size = try writer.readView.list(cell).count
    let position = lists.insertion(at: Int(index), priorSize: Int(it.priorSize), size: size, place)
    try writer.insert(value, at: min(position, size), cell)
  }

  private func move(_ it: ArrayMove) throws {
    let cell = try find(it.target)
    let place = RecoveredLists.ListField(object: it.target.object, field: it.target.field)
    guard !lists.isCopied(place) else { return }
    guard cell.field.collection == .list, lists.isExact(place), it.target.path.count == 1,
      case .index(let index)? = it.target.path.first, !isEmbedded(cell.field)
    else { return copy(it.target) }
    let size = try writer.readView.list(cell).count
    guard index < size, it.destination < size else { return copy(it.target) }
    try writer.moveElement(from: Int(index), to: Int(it.destination), cell)
  }

  private func erase(_ it: ArrayErase) throws {
    let cell = try find(it.target)
    let place = RecoveredLists.ListField(object: it.target.object, field: it.target.field)
    guard !lists.isCopied(place) else { return }
    let size = cell.field.collection == .list ? try writer.readView.list(cell).count : 0
    guard it.target.path.count == 1, case .index(let index)? = it.target.path.first, !isEmbedded(cell.field),
      let position = lists.position(of: Int(index), size: size, place)
    else { return copy(it.target) }
    try writer.removeElement(at: position, cell)
    lists.removed(at: Int(index), place)
  }

  private func clear(_ it: Clear) throws {
    let cell = try find(it.target)
    guard it.target.path.isEmpty, cell.field.collection == it.collection, cell.field.collection != .single else {
      return copy(it.target)
    }
    try writer.clearCollection(cell)
    lists.becameExact(RecoveredLists.ListField(object: it.target.object, field: it.target.field))
  }

  private func changeSet(_ target: Target, _ payload: Payload, inserting: Bool) throws {
    let cell = try find(target)
    guard target.path.isEmpty, cell.field.collection == .set else { return copy(target) }
    guard !lists.isCopied(RecoveredLists.ListField(object: target.object, field: target.field)) else { return }
    guard let value = try stored(payload, cell.field) else { return }
    if inserting {
      try writer.insertMember(value, cell)
    } else {
      try writer.removeMember(value, cell)
    }
  }
}
