public import ChangesetOT
public import DataModel
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
  let realm: any EventRealm
  let target: WriteTarget
  /// Whether an effect and the position are durable together.
  let isWritten = Atomic<Bool>(false)
  /// The number of writes so far.
  private let writes = Atomic<Int>(0)
  /// Whether the handler was given the realm to write to.
  let isLent = Atomic<Bool>(false)

  /// The identity of a handler towards a realm.
  struct WriteTarget: Sendable {
    var author: FileIdent
    var position: SaltedServerVersion
    var objectTypes: [ObjectBase.Type]
    /// The calls of ``ChangeDetails/write(_:)`` before this one.
    var writes = 0
  }

  init(
    id: ID, author: FileIdent, timestamp: OriginTimestamp, isCatchUp: Bool, previousRealm: Realm?, currentRealm: Realm?,
    changes: [String: ChangeSetDetails], schema: Schema, realm: any EventRealm, target: WriteTarget
  ) {
    self.id = id
    self.author = author
    self.timestamp = timestamp
    self.isCatchUp = isCatchUp
    self.previousRealm = previousRealm
    self.currentRealm = currentRealm
    self.changes = changes
    self.schema = schema
    self.realm = realm
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
  /// - Parameter body: runs on another thread, and keeps nothing of the realm. It is given the realm as this process knows it when
  ///   the server is another one; what it does there is merged with what came to the server meanwhile.
  /// - Throws: the error of `body`, after which nothing is changed; `RecordStoreError` when the file cannot be written; another
  ///   error when the server cannot be reached, or another process has taken the realm over.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Realm) throws -> Result
  ) async throws -> Result {
    var target = target
    target.writes = writes.wrappingAdd(1, ordering: .relaxed).oldValue
    let result = try await realm.write(target, body)
    isWritten.store(true, ordering: .releasing)
    return result
  }

  /// The realm to write to, for the calling thread, at its newest version. It must be used before the next suspension of the
  /// handler, and not be kept after it. Its writes are events like those of others, at least once; ``write(_:)`` makes them
  /// exactly once.
  ///
  /// - Throws: `Realm.Error` when the file cannot be opened with the handler's classes; ``EventError`` with code `notHere` in a
  ///   notifier of a server that is reached over the network.
  public func realmForWriting() throws -> Realm {
    isLent.store(true, ordering: .releasing)
    return try realm.realmForWriting(target)
  }
}
