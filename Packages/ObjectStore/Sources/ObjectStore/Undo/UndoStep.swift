import ChangesetOT
import DataModel
import RecordStore

/// The changes of one write transaction, with the old and new values that reverting it needs. Independent of later
/// versions.
struct UndoStep {
  /// A field that the transaction wrote.
  struct Change {
    let before: StateDump.Item
    let after: StateDump.Item
    /// Whether the transaction only added to the integer that the field holds.
    let isAddition: Bool
  }

  /// Objects that did not exist before.
  private(set) var created: [ObjectReference] = []
  /// Objects that the transaction deleted, with their fields.
  private(set) var erased: [(object: ObjectReference, fields: [String: StateDump.Item])] = []
  /// Objects that exist before and after, with their changed fields.
  private(set) var changed: [(object: ObjectReference, fields: [String: Change])] = []

  var isEmpty: Bool { created.isEmpty && erased.isEmpty && changed.isEmpty }

  /// The step with the present keys of its objects: a file that got its first ident since renamed objects without
  /// primary key.
  func known(by editor: RealmEditor) throws -> UndoStep {
    var step = self
    step.created = try created.map(editor.known)
    step.erased = try erased.map { (try editor.known($0.object), try $0.fields.mapValues(editor.known)) }
    step.changed = try changed.map { object, fields in
      let fields = try fields.mapValues { change in
        Change(
          before: try editor.known(change.before), after: try editor.known(change.after), isAddition: change.isAddition)
      }
      return (try editor.known(object), fields)
    }
    return step
  }

  /// - Parameters:
  ///   - changeset: the recorded instructions, which name the changed fields.
  ///   - before: the version that the transaction began with.
  ///   - after: the version that it made.
  /// - Throws: a storage error when one of the versions cannot be read.
  init(_ changeset: [UInt8], from before: ReadView, to after: ReadView) throws {
    var touched = TouchedFields()
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    for instruction in try Changeset(decoding: changeset, origin: origin).instructions { touched.add(instruction) }
    for object in touched.order {
      switch (try before.record(object), try after.record(object)) {
      case (nil, nil): break
      case (nil, .some): created.append(object)
      case (.some(let fields), nil): erased.append((object, fields))
      case (.some(let old), .some(let new)):
        let names = touched.isWhole.contains(object) ? Set(old.keys) : touched.fields[object] ?? []
        var changes: [String: Change] = [:]
        for name in names {
          guard let before = old[name], let after = new[name], before != after else { continue }
          let isAddition = touched.additions[object]?.contains(name) ?? false
          changes[name] = Change(before: before, after: after, isAddition: isAddition)
        }
        if !changes.isEmpty { changed.append((object, changes)) }
      }
    }
  }
}

/// The objects and fields that the instructions of a changeset name.
private struct TouchedFields {
  private(set) var order: [ObjectReference] = []
  private(set) var fields: [ObjectReference: Set<String>] = [:]
  /// Fields that only additions changed.
  private(set) var additions: [ObjectReference: Set<String>] = [:]
  /// Objects that were created or erased.
  private(set) var isWhole: Set<ObjectReference> = []

  mutating func add(_ instruction: Instruction) {
    switch instruction {
    case .addTable, .eraseTable, .addColumn, .eraseColumn: break
    case .createObject(let it): meet(it.object, isWhole: true)
    case .eraseObject(let it): meet(it.object, isWhole: true)
    case .addInteger(let it):
      let isFirst = !(fields[it.target.object]?.contains(it.target.field) ?? false)
      touch(it.target)
      if isFirst, it.target.path.isEmpty { additions[it.target.object, default: []].insert(it.target.field) }
    case .update(let it): write(it.target)
    case .arrayInsert(let it): write(it.target)
    case .arrayMove(let it): write(it.target)
    case .arrayErase(let it): write(it.target)
    case .clear(let it): write(it.target)
    case .setInsert(let it): write(it.target)
    case .setErase(let it): write(it.target)
    }
  }

  private mutating func write(_ target: Target) {
    touch(target)
    additions[target.object]?.remove(target.field)
  }

  private mutating func touch(_ target: Target) {
    meet(target.object, isWhole: false)
    fields[target.object, default: []].insert(target.field)
  }

  private mutating func meet(_ object: ObjectReference, isWhole whole: Bool) {
    if fields[object] == nil {
      fields[object] = []
      order.append(object)
    }
    if whole { isWhole.insert(object) }
  }
}

extension ReadView {
  /// The fields of an object; nil when it does not exist.
  func record(_ object: ObjectReference) throws -> [String: StateDump.Item]? {
    guard let layout = catalog[object.className], layout.key?.entry(object.key) != nil,
      let row = try row(object.key, layout)
    else { return nil }
    return try fields(row, layout)
  }
}
