import ChangesetOT
import DataModel
import PermissionsTestSupport

@testable import ObjectStore
@testable import RecordStore

/// The effect that an upload is to have, by the reference monitor: each instruction is judged by the state before its
/// changeset, changes of lists and permission objects by the lists that come of it. The author had seen everything.
struct RoleJudge {
  /// A refusal as its author is to be told.
  struct Refusal: Hashable {
    var object: ObjectReference
    var changeset: Int
  }

  /// Ends the transaction of a changeset of which more is refused than was known.
  private struct MoreRefused: Error {}

  private enum Part: Hashable {
    case object(ObjectReference), table(String), column(String, String)
    case properties(ObjectReference, Int), lists(ObjectReference, Int)
  }

  private let access: ViewAccess?
  private let selections: [ViewSelection]
  /// The state so far.
  let file: RealmFile
  private(set) var refusals: Set<Refusal> = []
  /// The objects that the queries hold in that state.
  private var known: HeldObjects?
  private var refused: Set<Part> = []
  private struct Field: Hashable {
    var object: ObjectReference
    var name: String
  }

  /// Collections that are others in the author's file, from the changeset after on.
  private var spoiled: [Field: Int] = [:]
  /// Objects that the author's file does not know.
  private var strange: Set<ObjectReference> = []

  init(_ server: RealmFile, _ access: ViewAccess?, _ selections: [ViewSelection]) throws {
    self.access = access
    self.selections = selections
    file = try server.copy()
  }

  private func held(in readView: ReadView, _ facts: RoleFacts, hasLimits: Bool = false) throws -> HeldObjects {
    try ViewReference(readView, dump: facts.dump).held(
      selections, followsLinks: access?.followsLinks ?? false, facts.rights(access), hasLimits: hasLimits)
  }

  /// Takes the changesets of an upload.
  mutating func take(_ changesets: [[Instruction]]) throws {
    let facts = try RoleFacts(file)
    let held = try held(in: file.latestReadView(), facts, hasLimits: true)
    let dump = facts.dump
    for object in changesets.joined().compactMap(\.object)
    where dump.objects[object.className]?[object.key] != nil && held[object.className]?.contains(object.key) != true {
      strange.insert(object)
    }
    for (number, instructions) in changesets.enumerated() {
      for object in instructions.compactMap(\.object) where strange.contains(object) {
        refuse(.object(object), object, number)
      }
      for instruction in instructions { refuseForeignEntry(in: instruction, number, dump, held) }
      while try !take(instructions, number) {}
    }
  }

  /// A link to a permission object of others that the author does not have would grant what they chose.
  private mutating func refuseForeignEntry(
    in instruction: Instruction, _ number: Int, _ dump: StateDump, _ held: HeldObjects
  ) {
    guard access != nil, let entry = instruction.linkedEntry, let target = instruction.target,
      !strange.contains(target.object), dump.objects[entry.className]?[entry.key] != nil,
      held[entry.className]?.contains(entry.key) != true
    else { return }
    let field = Field(object: target.object, name: target.field)
    guard spoiled[field] == nil, !refused.contains(.object(target.object)) else { return }
    spoiled[field] = number - 1
    refusals.insert(Refusal(object: target.object, changeset: number))
  }

  private mutating func refuse(_ part: Part, _ object: ObjectReference, _ number: Int) {
    if refused.insert(part).inserted { refusals.insert(Refusal(object: object, changeset: number)) }
  }

  /// Takes one changeset.
  ///
  /// - Returns: false when something was refused that had an effect.
  private mutating func take(_ instructions: [Instruction], _ number: Int) throws -> Bool {
    let before = try RoleFacts(file)
    let (refusedBefore, refusalsBefore) = (refused, refusals)
    let catalog = try file.latestReadView().catalog
    var changes = RoleChanges(before, catalog)
    let permissions = before.world.realmList == nil ? nil : access
    if let permissions {
      for instruction in instructions {
        if case .createObject(let it) = instruction, refused.contains(.table(it.object.className)) {
          refuse(.object(it.object), it.object, number)
        }
        if isRefused(instruction, number, before) { continue }
        for (part, object, deed) in changes.deeds(of: instruction) where before.judge(permissions, deed) != .allowed {
          refuse(self.part(part, number), object, number)
        }
      }
    }
    for instruction in instructions {
      if !isRefused(instruction, number, before), let (part, object) = changes.lacking(instruction) {
        refuse(self.part(part, number), object, number)
      }
      if case .createObject(let it) = instruction, refused.contains(.table(it.object.className)) {
        refuse(.object(it.object), it.object, number)
      }
    }
    // Later changesets address places in a collection that is another one in the author's file.
    for instruction in instructions where isRefused(instruction, number, before) && instruction.changesPlaces {
      guard let target = instruction.target else { continue }
      let field = Field(object: target.object, name: target.field)
      spoiled[field] = spoiled[field] ?? number
    }
    let admitted = instructions.filter { !isRefused($0, number, before) }
    let heldBefore = try known ?? held(in: file.latestReadView(), before)
    known = heldBefore
    let (file, refusedEarly, refusalsEarly) = (file, refused, refusals)
    do {
      try file.write(isRecorded: false) { session in
        let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
        try ChangesetApplier(writer: session.writer).apply(Changeset(instructions: admitted, origin: origin))
        try session.writer.settleLinks()
        let after = try RoleFacts(session.writer.readView)
        let heldAfter = try held(in: session.writer.readView, after)
        if let permissions {
          let found = changes.outcomes(in: after).filter { part, _, deed in
            !refused.contains(self.part(part, number)) && before.judge(permissions, deed) != .allowed
          }
          // Lists are judged by the entries that there will be, places by the lists.
          let entries = found.filter { $0.1.className == "__Permission" }
          for (part, object, _) in entries.isEmpty ? found : entries { refuse(self.part(part, number), object, number) }
          guard found.isEmpty else { throw MoreRefused() }
        }
        for object in Set(admitted.compactMap(\.object))
        where after.dump.objects[object.className]?[object.key] != nil {
          let isFree = access?.followsLinks == true && object.className.hasPrefix("__")
          if heldAfter[object.className]?.contains(object.key) != true,
            heldBefore[object.className]?.contains(object.key) != true, !isFree
          {
            refuse(.object(object), object, number)
          }
        }
        guard refused == refusedEarly else { throw MoreRefused() }
        known = heldAfter
      }
    } catch is MoreRefused {
      // The refusals by outcome are known at the next attempt; those that they make superfluous are not told.
      refused = refusedBefore.union(refused.subtracting(refusedEarly))
      refusals = refusalsBefore.union(refusals.subtracting(refusalsEarly))
      return false
    }
    return true
  }

  private func part(_ part: RoleChanges.Part, _ number: Int) -> Part {
    switch part {
    case .object(let object): .object(object)
    case .table(let name): .table(name)
    case .column(let name, let field): .column(name, field)
    case .properties(let object): .properties(object, number)
    case .lists(let object): .lists(object, number)
    case .erasure(let object): .object(object)
    }
  }

  private func isRefused(_ instruction: Instruction, _ number: Int, _ facts: RoleFacts) -> Bool {
    switch instruction {
    case .addTable(let it): return refused.contains(.table(it.table))
    case .addColumn(let it): return refused.contains(.table(it.table)) || refused.contains(.column(it.table, it.field))
    default: break
    }
    guard let object = instruction.object else { return false }
    if refused.contains(.object(object)) || refused.contains(.table(object.className)) { return true }
    guard let field = instruction.target?.field else { return false }
    if refused.contains(.column(object.className, field)) { return true }
    if let first = spoiled[Field(object: object, name: field)], first < number { return true }
    return refused.contains(
      facts.isList(object.className, field) ? .lists(object, number) : .properties(object, number))
  }
}
