import ChangesetOT
import DataModel
import Permissions

/// The parts of a changeset that are left out before it is applied.
extension UploadAdmission {
  /// Leaves out what a changeset does to objects that are not there, as if it had been merged with their erasure: one that was
  /// never in the author's view came to the author with no change, and its base may lie behind it. The author's file is set
  /// back.
  mutating func leaveOutAbsent(from changeset: inout Changeset) {
    var isThere: [ObjectReference: Bool] = [:]
    changeset.instructions.removeAll { instruction in
      guard let object = instruction.object else { return false }
      switch instruction {
      case .createObject: isThere[object] = true
      case .eraseObject: isThere[object] = false
      default:
        let isAbsent = isThere[object] == false || isThere[object] == nil && places[object] == .absent
        if isAbsent { touched.addWhole(object) }
        return isAbsent
      }
      return false
    }
  }

  /// Refuses what depends on others, or decides about them, in a batch that was attempted too often for it to be judged piece
  /// by piece; in the end everything.
  mutating func refuseRest(
    of changeset: Changeset, at offset: Int, _ version: ClientVersion, _ attempt: AdmissionAttempt,
    _ present: PresentState
  ) {
    guard let rest = attempt.rest, offset >= rest.offset else { return }
    let catalog = present.readView.catalog
    for instruction in changeset.instructions where !isRefused(instruction, at: offset, catalog) {
      let className = instruction.className
      let declared = ObjectReference(className: className, key: .null)
      let reason = "too much of the upload depends on what was refused before it; write it again"
      switch instruction {
      case .addTable where rest.isWhole && catalog[className] == nil:
        refuse(.table(className), of: declared, at: offset, version, reason)
      case .addColumn(let it) where rest.isWhole && catalog[className]?.field(it.field) == nil:
        refuse(.column(className, it.field), of: declared, at: offset, version, reason)
      default:
        guard let object = instruction.object else { continue }
        if rest.isWhole || PermissionClass(rawValue: className) != nil || queries.depends(className, present) {
          refuse(.object(object), of: object, at: offset, version, reason)
        } else if instruction.target.map({ [RefusedPart: Refused].isList($0, catalog) }) ?? false {
          refuse(.lists(object, offset: offset), of: object, at: offset, version, reason)
        }
      }
    }
  }

  func isRefused(_ instruction: Instruction, at offset: Int, _ catalog: Catalog) -> Bool {
    refused.contains(instruction, at: offset, in: catalog)
  }
}

extension [RefusedPart: Refused] {
  /// Whether an instruction is refused.
  func contains(_ instruction: Instruction, at offset: Int, in catalog: Catalog) -> Bool {
    if isEmpty { return false }
    return contains(
      instruction, at: offset, isList: instruction.target.map { Self.isList($0, catalog) } ?? false)
  }

  /// The writes that authors are told of, in the order of the changesets; of each object and reason one, and nothing of the fields of an
  /// object that was refused before.
  var writes: [RefusedWrite] {
    var seen: Set<RefusedWrite> = []
    return filter { part, refusal in
      guard case .field(let object, _) = part, let whole = self[.object(object)] else { return true }
      return whole.offset >= refusal.offset
    }.values.sorted {
      ($0.offset, "\($0.write.object)") < ($1.offset, "\($1.write.object)")
    }.map(\.write).filter { seen.insert($0).inserted }
  }

  /// Refuses what needs a class or a property that the realm does not have: its declaration was not taken from this author.
  mutating func refuseMissingSchema(
    _ changeset: Changeset, at offset: Int, _ version: ClientVersion, _ catalog: Catalog
  ) {
    var schema = MissingSchema(catalog)
    for instruction in changeset.instructions {
      if !contains(instruction, at: offset, in: catalog) {
        let isList = instruction.target.map { Self.isList($0, catalog) } ?? false
        if let (part, object, reason) = schema.part(of: instruction, at: offset, isList: isList) {
          let write = RefusedWrite(object: object, clientVersion: version, reason: "write not allowed: \(reason)")
          merge([part: Refused(offset: offset, write: write)])
        }
      }
      if case .createObject(let it) = instruction, let table = self[.table(it.object.className)] {
        let write = RefusedWrite(object: it.object, clientVersion: version, reason: table.write.reason)
        merge([.object(it.object): Refused(offset: offset, write: write)])
      }
    }
  }

  /// Refuses what later changesets do to a collection that is another one in the author's file.
  mutating func keepRefusing(_ instruction: Instruction, at offset: Int, _ catalog: Catalog) {
    guard let target = instruction.target else { return }
    let part: RefusedPart =
      Self.isList(target, catalog) ? .lists(target.object, offset: offset) : .properties(target.object, offset: offset)
    guard let first = self[part] else { return }
    let field = RefusedPart.field(target.object, target.field)
    if self[field].map({ $0.offset > offset }) ?? true { self[field] = first }
  }

  fileprivate static func isList(_ target: Target, _ catalog: Catalog) -> Bool {
    catalog[target.object.className]?.holdsAccessList(target.field) ?? false
  }
}
