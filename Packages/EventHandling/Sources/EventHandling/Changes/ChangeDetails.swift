public import ChangesetOT
public import DataModel
import ObjectServer
public import ObjectStore
import RecordStore
import Synchronization

/// One transaction on a realm, as a handler is told of it.
///
/// Safe to use from any thread until the handler returns; nothing of it may be kept longer.
public final class ChangeDetails: @unchecked Sendable {
  /// Names a transaction for good, also when the realm's file is restored and other transactions get the same versions.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The path of the realm.
    public let path: String
    /// The version that the transaction made, with its salt.
    public let position: SaltedServerVersion

    /// Path, version and salt.
    public var description: String { "\(path)#\(position.version.rawValue)-\(position.salt)" }
  }

  /// The transaction.
  public let id: ID
  /// The path of the realm, such as `/ann/private`.
  public var path: String { id.path }
  /// The client file in which the changes were made; that of the server for what it wrote itself.
  public let author: FileIdent
  /// The time of the changes on their author's device.
  public let timestamp: OriginTimestamp
  /// Whether the handler had fallen behind, or the changes could not be told one by one: then this is everything that is
  /// different from the last state it saw.
  public let isCatchUp: Bool
  /// The realm just before the transaction, frozen; nil for a handler without realms, and before the first transaction.
  public let previousRealm: Realm?
  /// The realm just after the transaction, frozen; nil only for a handler without realms.
  public let currentRealm: Realm?
  /// The changed objects by class. A class without changes is not in it.
  public let changes: [String: ChangeSetDetails]
  /// The classes of the realm.
  public let schema: Schema
  let hold: RealmHold
  let target: WriteTarget
  /// Whether an effect and the position are durable together.
  let isWritten = Atomic<Bool>(false)
  /// Whether the handler was given the realm to write to.
  let isLent = Atomic<Bool>(false)

  /// The identity of a handler towards a realm.
  struct WriteTarget: Sendable {
    var cursor: String
    var author: FileIdent
    var position: SaltedServerVersion
    var objectTypes: [ObjectBase.Type]
  }

  init(
    id: ID, author: FileIdent, timestamp: OriginTimestamp, isCatchUp: Bool, previousRealm: Realm?, currentRealm: Realm?,
    changes: [String: ChangeSetDetails], schema: Schema, hold: RealmHold, target: WriteTarget
  ) {
    self.id = id
    self.author = author
    self.timestamp = timestamp
    self.isCatchUp = isCatchUp
    self.previousRealm = previousRealm
    self.currentRealm = currentRealm
    self.changes = changes
    self.schema = schema
    self.hold = hold
    self.target = target
  }

  /// Writes the effect of the handler to the realm, in one transaction with the handler's position: exactly once, whatever
  /// stops the process. The realm is at its newest version, which may be later than ``currentRealm``; objects are found in it
  /// by their keys. The handler is not told of what it writes.
  ///
  ///     try await details.write { realm in
  ///       realm.dynamicObject(coupon.reference)?["isValid"] = true
  ///     }
  ///
  /// All effects of a transaction belong into one call. It makes the transaction count as handled: what a call that follows would
  /// write is lost when the process ends, or the handler throws, between the two.
  ///
  /// - Parameter body: runs on a thread of the server, and keeps nothing of the realm.
  /// - Throws: the error of `body`, after which nothing is changed; `RecordStoreError` when the file cannot be written.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Realm) throws -> Result
  ) async throws -> Result {
    let target = target
    let result = try await hold.write { history in
      let realm = try Realm(of: history.file, objectTypes: target.objectTypes)
      return try realm.write {
        realm.editor.sign(as: target.author)
        let result = try body(realm)
        try history.advanceFeedCursor(target.cursor, to: target.position, in: realm.editor)
        return result
      }
    }
    isWritten.store(true, ordering: .releasing)
    return result
  }

  /// The realm to write to, for the calling thread, at its newest version. It must be used before the next suspension of the
  /// handler, and not be kept after it. Its writes are events like those of others, at least once; ``write(_:)`` makes them
  /// exactly once.
  ///
  /// - Throws: `Realm.Error` when the file cannot be opened with the handler's classes.
  public func realmForWriting() throws -> Realm {
    isLent.store(true, ordering: .releasing)
    return try Realm(of: hold.history.file, objectTypes: target.objectTypes)
  }
}
