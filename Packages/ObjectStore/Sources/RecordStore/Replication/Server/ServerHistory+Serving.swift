public import ChangesetOT
public import DataModel
import Permissions
import StorageEngine

/// Reading and writing a server's file on behalf of users who have no file of their own.
extension ServerHistory {
  /// The newest version as a user may read it.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(classes), and in a realm with permissions that of looking at what changed in them since the last time.
  public func readableContents(by access: ViewAccess) throws -> ReadableContents {
    try translatingErrors {
      let (state, readView) = try newest()
      return ReadableContents(RealmContents(readView), permissions: try permissions(of: access, state, readView))
    }
  }

  /// Runs `body` in one write transaction on behalf of a user. The changeset is the server's own; the rules are those by which
  /// uploads of the user are judged. Durable on return, and part of the history.
  ///
  /// - Throws: ``WriteRefusal`` when a rule refuses a part of it, ``RecordStoreError`` when the commit fails, the error of
  ///   `body`; nothing has then changed.
  @discardableResult
  public func edit<R>(by access: ViewAccess, _ body: (RealmEditor) throws -> R) throws -> R {
    try file.write { session in
      // The writer's lock is held: the newest version stays the one before this transaction.
      let (state, before) = try newest()
      let permissions = try permissions(of: access, state, before)
      let result = try body(RealmEditor(session))
      if let permissions { try Self.judge(session, permissions, before) }
      return result
    }
  }

  private func newest() throws -> (ServerState, ReadView) {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    return (state, ReadView(snapshot, try file.catalog(of: snapshot)))
  }

  private func permissions(
    of access: ViewAccess, _ state: ServerState, _ readView: ReadView
  ) throws -> ViewPermissions? {
    guard var permissions = try permissionState(state, in: readView) else { return nil }
    return ViewPermissions(permissions.permissions(of: access), of: permissions.table)
  }

  private static func judge(_ session: WriteSession, _ permissions: ViewPermissions, _ before: ReadView) throws {
    guard let recorder = session.writer.recorder, !recorder.isEmpty else { return }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    let changeset = try Changeset(decoding: recorder.written, origin: origin)
    var judge = WriteJudge(permissions.user, permissions.table, offset: 0, version: ClientVersion(0), before)
    try judge.judge(changeset, known: [:])
    var refused = judge.refused
    if refused.isEmpty {
      try session.writer.settleLinks()
      refused = try judge.judgeOutcome(in: session.writer.readView)
    }
    let first = refused.values.min { "\($0.write.object)" < "\($1.write.object)" }
    if let first { throw WriteRefusal(object: first.write.object, reason: first.write.reason) }
  }
}

/// The refusal of a write by a rule inside the realm.
public struct WriteRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The object that the refused part concerns.
  public var object: ObjectReference
  /// The action, the rule that refuses it, and a remedy.
  public var reason: String

  /// A refusal.
  public init(object: ObjectReference, reason: String) {
    self.object = object
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}
