import ChangesetOT
import CommitFeed
import ObjectServer
import ObjectStore
import Permissions
import RecordStore
import Synchronization

/// The realms of a server in this process: their commits are read from its files.
final class EmbeddedOrigin: EventOrigin {
  let needsCopies = false
  private let server: ObjectServer
  private let watch = Mutex<RealmWatch?>(nil)

  init(_ server: ObjectServer) { self.server = server }

  func begin(
    matching: @escaping @Sendable (RealmPath) -> Bool, wake: @escaping @Sendable ([RealmPath]) -> Void
  ) async throws -> [RealmPath] {
    let new = server.watchCommits(matching: matching) { [weak self] in
      let paths = self?.watch.withLock { $0 }?.take() ?? []
      if !paths.isEmpty { wake(paths) }
    }
    watch.withLock { $0 = new }
    let paths = try await server.realmPaths()
    // Realms that were noted before the watch was known here.
    let early = new.take()
    if !early.isEmpty { wake(early) }
    return paths
  }

  func pause() {
    watch.withLock { watch in
      watch?.cancel()
      watch = nil
    }
  }

  func end() async {}

  func introduce(_ handler: HandlerIdentity, to path: RealmPath) async throws {
    let name = path.description
    try await server.hold(path)?.perform { history in
      _ = try CommitFeed(of: name, history).reader(
        Self.cursor(of: handler), budget: handler.budget, from: .newest)
    }
  }

  func open(_ path: RealmPath, for handler: HandlerIdentity) async throws -> (any EventRealm)? {
    try await server.hold(path).map { EmbeddedRealm($0, handler) }
  }

  fileprivate static func cursor(of handler: HandlerIdentity) -> String { "events " + handler.name }
}

/// The files of one realm of the server, held for a run.
struct EmbeddedRealm: EventRealm {
  private let hold: RealmHold
  private let handler: HandlerIdentity
  private let cursor: String

  init(_ hold: RealmHold, _ handler: HandlerIdentity) {
    self.hold = hold
    self.handler = handler
    cursor = EmbeddedOrigin.cursor(of: handler)
  }

  var isWanted: Bool { hold.isWanted }

  func begin(knowing position: SaltedServerVersion?) async throws -> (author: FileIdent, isSame: Bool) {
    let (path, cursor, handler) = (hold.path.description, cursor, handler)
    return try await hold.perform { history in
      let feed = CommitFeed(of: path, history)
      _ = try feed.reader(cursor, budget: handler.budget, from: handler.start)
      var random = SystemRandomNumberGenerator()
      let author = try history.feedAuthor(cursor, random: &random)
      guard let position else { return (author, true) }
      do { try feed.check(position) } catch is FeedError { return (author, false) }
      return (author, true)
    }
  }

  func next(_ replica: RealmReplica?) async throws -> EventBatch {
    let (path, cursor, handler) = (hold.path.description, cursor, handler)
    return try await hold.perform { history -> EventBatch in
      let feed = CommitFeed(of: path, history)
      var reader = try feed.reader(cursor, budget: handler.budget, from: handler.start)
      do {
        guard let batch = try reader.next() else { return .none }
        if let replica, replica.position?.version != batch.start {
          do { try replica.makeState(before: batch) } catch is FeedPastError {
            return .gap(
              FeedGap(cursor: cursor, position: batch.start, newest: try feed.present().position, reason: .trimmed))
          }
        }
        return .commits(try batch.commits.map { try RealmEvent($0, of: batch) }, end: batch.end)
      } catch FeedError.fellBehind(let gap) {
        return .gap(gap)
      }
    }
  }

  func takePresent(
    _ replica: RealmReplica?, then difference: @escaping @Sendable (RealmContents) throws -> Void
  ) async throws -> (position: SaltedServerVersion, schema: Schema) {
    let path = hold.path.description
    return try await hold.perform { history in
      let (position, contents) = try CommitFeed(of: path, history).present()
      try replica?.makeState(contents, at: position)
      try difference(contents)
      return (position, contents.schema)
    }
  }

  func advance(to position: SaltedServerVersion) async throws {
    let cursor = cursor
    try await hold.perform { try $0.advanceFeedCursor(cursor, to: position) }
  }

  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await hold.perform { _ in try work() }
  }

  func write<Value: Sendable>(
    _ target: ChangeDetails.WriteTarget, _ body: @escaping @Sendable (Realm) throws -> Value
  ) async throws -> Value {
    let cursor = cursor
    return try await hold.write { history in
      let realm = try Realm(of: history.file, objectTypes: target.objectTypes)
      return try realm.write {
        realm.editor.sign(as: target.author)
        let result = try body(realm)
        try history.advanceFeedCursor(cursor, to: target.position, in: realm.editor)
        return result
      }
    }
  }

  func realmForWriting(_ target: ChangeDetails.WriteTarget) throws -> Realm {
    try Realm(of: hold.history.file, objectTypes: target.objectTypes)
  }

  func noteCommit() { hold.noteCommit() }
}
