public import ChangesetOT
public import RecordStore

/// The realm that requests are answered from, as one user may use it. Called on the thread of the request.
public protocol RealmGraphQLStore: Sendable {
  /// The newest version.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  func read() throws -> ReadableContents

  /// Runs `body` in one write transaction, which is durable on return.
  ///
  /// - Throws: `WriteRefusal` when a rule refuses it, `RecordStoreError`, the error of `body`; nothing has then changed.
  func write<R>(_ body: (RealmEditor) throws -> R) throws -> R

  /// The named queries of the user; nil for a realm that is not opened by queries.
  var subscriptions: (any QuerySubscriptions)? { get }
}

extension RealmGraphQLStore {
  /// Nil.
  public var subscriptions: (any QuerySubscriptions)? { nil }
}

/// A realm file of this machine, used without bounds.
public struct LocalRealm: RealmGraphQLStore {
  private let file: RealmFile

  /// The realm in a file.
  public init(_ file: RealmFile) { self.file = file }

  /// The newest version.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func read() throws -> ReadableContents { ReadableContents(try file.contents()) }

  /// Runs `body` in one write transaction.
  ///
  /// - Throws: the error of `body`; `RecordStoreError` when the commit fails.
  public func write<R>(_ body: (RealmEditor) throws -> R) throws -> R { try file.edit(body) }
}

/// A realm of a server, used by one user within the roles of the realm.
public struct ServedRealm: RealmGraphQLStore {
  private let history: ServerHistory
  private let access: ViewAccess
  private let refusal: WriteRefusal?
  /// The named queries of the user.
  public let subscriptions: (any QuerySubscriptions)?

  /// The realm as a user may use it.
  ///
  /// - Parameter refusal: the reason why the user may not write at all; nil when roles inside the realm decide.
  public init(
    _ history: ServerHistory, _ access: ViewAccess, refusingWrites refusal: WriteRefusal? = nil,
    subscriptions: (any QuerySubscriptions)? = nil
  ) {
    self.history = history
    self.access = access
    self.refusal = refusal
    self.subscriptions = subscriptions
  }

  /// The newest version as the user may read it.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func read() throws -> ReadableContents { try history.readableContents(by: access) }

  /// Runs `body` in one write transaction on behalf of the user.
  ///
  /// - Throws: `WriteRefusal` when a rule refuses it; `RecordStoreError`; the error of `body`.
  public func write<R>(_ body: (RealmEditor) throws -> R) throws -> R {
    if let refusal { throw refusal }
    return try history.edit(by: access, body)
  }
}
