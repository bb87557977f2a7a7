import ChangesetOT
import CommitFeed
import ObjectStore
import Permissions
import RecordStore

/// The realms whose transactions a notifier tells: those of a server in this process, or of one that is reached over the network.
protocol EventOrigin: Sendable {
  /// Whether every delivery needs a copy of its realm, also for handlers without realms.
  var needsCopies: Bool { get }

  /// Begins to tell which realms have transactions.
  ///
  /// - Parameter wake: called with realms that may have transactions, from any thread.
  /// - Returns: the realms that there are.
  func begin(
    matching: @escaping @Sendable (RealmPath) -> Bool, wake: @escaping @Sendable ([RealmPath]) -> Void
  ) async throws -> [RealmPath]

  /// Tells of no more realms.
  func pause()

  /// Ends, once no delivery runs.
  func end() async

  /// Makes a new handler known to a realm, at its newest position; does nothing for one that is known there.
  func introduce(_ handler: HandlerIdentity, to path: RealmPath) async throws

  /// A realm for one run of a delivery; nil when there is none at the path, or others have its files.
  ///
  /// - Throws: ``UnavailableRealm`` when it cannot be had at the time; other errors count as failures.
  func open(_ path: RealmPath, for handler: HandlerIdentity) async throws -> (any EventRealm)?
}

/// The name under which a handler has its positions, and where it begins in a realm that does not know it.
struct HandlerIdentity: Sendable {
  var name: String
  var start: FeedStart
  var budget: FeedBudget
}

/// A realm as a delivery has it for one run.
protocol EventRealm: Sendable {
  /// Whether the realm is to be given back soon.
  var isWanted: Bool { get }

  /// Makes the handler known to the realm.
  ///
  /// - Parameter position: of the first event in memory, if there is one.
  /// - Returns: the client file of the handler's own transactions, and whether the realm still has the position.
  func begin(knowing position: SaltedServerVersion?) async throws -> (author: FileIdent, isSame: Bool)

  /// The next events. The copy is made that of the state before them, unless it has it.
  func next(_ replica: RealmReplica?) async throws -> EventBatch

  /// Makes the copy that of the present state.
  ///
  /// - Returns: the position, and the classes.
  func takePresent(
    _ replica: RealmReplica?, then difference: @escaping @Sendable (RealmContents) throws -> Void
  ) async throws -> (position: SaltedServerVersion, schema: Schema)

  /// Makes a position durable.
  func advance(to position: SaltedServerVersion) async throws

  /// Runs blocking work on the copy.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value

  /// Writes to the realm at its newest version, together with the target's position: exactly once.
  func write<Value: Sendable>(
    _ target: ChangeDetails.WriteTarget, _ body: @escaping @Sendable (Realm) throws -> Value
  ) async throws -> Value

  /// The realm to write to, for the calling thread.
  func realmForWriting(_ target: ChangeDetails.WriteTarget) throws -> Realm

  /// Tells of what was written there.
  func noteCommit()
}

/// A realm cannot be had at the time, through no fault of the handler: it is asked for again, however often.
struct UnavailableRealm: Error, CustomStringConvertible {
  var reason: String
  /// The time after which to ask; nil when it is not known.
  var delay: Duration?

  var description: String { reason }
}
