import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Uploads of clients that have everything by an access token for less, in a realm with permissions.
extension ServerIntegration {
  /// Leaves out of a changeset what the access token of its author does not allow, and what needs a class or a property that was
  /// refused before. Roles take nothing from somebody who holds the realm whole; a token bounds everybody.
  ///
  /// - Parameters:
  ///   - changeset: as it was merged.
  ///   - original: as it was made.
  /// - Returns: whether there was anything.
  /// - Throws: ``BadChangesetError`` when it erases a class or a field without the right to change the schema.
  mutating func leaveOutUnpermitted(
    of changeset: inout Changeset, _ original: Changeset, at offset: Int, _ version: ClientVersion
  ) throws -> Bool {
    guard let access = setBackWrites.access, let permissions, permissions.isInForce else { return false }
    let readView = try presentState(at: offset).readView
    let tokenBound = Privileges(rawValue: access.tokenBound)
    if !tokenBound.contains(.modifySchema), original.instructions.contains(where: \.erasesSchema) {
      throw BadChangesetError(
        .applying, "the access token lets neither classes nor fields be erased", changeset: offset)
    }
    // The token alone decides, and no list: the answer is known before the outcome.
    let user = UserPermissions(
      PermissionTable(), user: UserId(access.user), isAdministrator: true, tokenBound: tokenBound)
    var judge = WriteJudge(user, PermissionTable(), offset: offset, version: version, readView)
    try judge.judge(changeset, known: setBackWrites.refused)
    setBackWrites.refused.merge(judge.refused)
    try charge(judge.entriesRead, at: offset)
    setBackWrites.refused.merge(try judge.judgeOutcome(in: readView, isLast: true))
    let catalog = readView.catalog
    setBackWrites.refused.refuseMissingSchema(changeset, at: offset, version, catalog)
    if setBackWrites.refused.isEmpty { return false }
    for instruction in original.instructions where instruction.changesPlaces {
      setBackWrites.refused.keepRefusing(instruction, at: offset, catalog)
    }
    return try setBackWrites.leaveOutRefused(of: &changeset, original, at: offset, catalog)
  }
}

extension SetBackWrites {
  /// Leaves the refused part out of a changeset.
  ///
  /// - Returns: whether there was anything.
  fileprivate mutating func leaveOutRefused(
    of changeset: inout Changeset, _ original: Changeset, at offset: Int, _ catalog: Catalog
  ) throws -> Bool {
    var restored = Changeset(origin: original.origin)
    restored.instructions = original.instructions.filter { refused.contains($0, at: offset, in: catalog) }
    if restored.isEmpty { return false }
    try touched.add(restored)
    // Of classes that were refused the realm knows nothing.
    touched.noteMerged(restored)
    changeset.instructions.removeAll { refused.contains($0, at: offset, in: catalog) }
    return true
  }
}
