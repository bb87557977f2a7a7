import AdapterKit
import ByteCoding
import ChangesetOT
import CommitFeed
import DataModel
import Dispatch
import Foundation
import ObjectStore
import Permissions
import RecordStore
import Synchronization
import Transport

/// A realm of a server that is reached over the network, for one run of a delivery: its commits come as changesets, which a copy in this
/// process follows.
final class RemoteRealm: EventRealm {
  let server: RemoteServer
  let path: RealmPath
  private let handler: HandlerIdentity
  private let leases: RemoteLeases
  private let queue = DispatchQueue(label: "realm of an event handler")
  let state = Mutex(State())

  struct State: Sendable {
    /// The stored position, and the newest of the realm, when they were read.
    var stored = SaltedServerVersion(version: .zero, salt: 0)
    var present = SaltedServerVersion(version: .zero, salt: 0)
    var author = FileIdent.none
    /// The number of the handler's last effect.
    var written: UInt64 = 0
    /// Nil until there is something to tell.
    var lease: String?
    /// Whether the copy was compared with the stored position.
    var isChecked = false
    /// The copy in which effects are recorded, once it is known.
    var replica: RealmReplica?
    var renewal: Task<Void, Never>?
    var isLost = false
  }

  init(_ server: RemoteServer, _ path: RealmPath, _ handler: HandlerIdentity, _ leases: RemoteLeases) {
    self.server = server
    self.path = path
    self.handler = handler
    self.leases = leases
  }

  deinit { state.withLock { $0.renewal }?.cancel() }

  var isWanted: Bool { state.withLock { $0.isLost } }

  /// The parameters of calls about the realm.
  var query: [(String, String)] {
    [("path", path.description)] + (state.withLock { $0.lease }.map { [("lease", $0)] } ?? [])
  }

  /// The members of calls about the realm.
  var body: [(key: String, value: JSONValue)] { query.map { ($0, .string($1)) } }

  /// Reads where the handler is.
  ///
  /// - Returns: whether the realm exists.
  func readState() async throws -> Bool {
    let start = if case .newest = handler.start { "newest" } else { "oldest" }
    let response = try await server.call("GET", "", query: query + [("start", start)], known: [404])
    guard response.status != 404 else { return false }
    let json = try JSONValue(parsing: response.body)
    let (stored, present) = (try json.position(), try json.position("present"))
    guard let author = json["author"]?.unsignedInteger, let written = json["written"]?.unsignedInteger else {
      throw RemoteServer.lacks("author")
    }
    state.withLock { state in
      (state.stored, state.present) = (stored, present)
      (state.author, state.written) = (FileIdent(author), written)
    }
    return true
  }

  func begin(knowing position: SaltedServerVersion?) async throws -> (author: FileIdent, isSame: Bool) {
    let author = state.withLock { $0.author }
    guard position != nil else { return (author, true) }
    let isSame = try await takeLease()
    // The copy is as the events in memory need it.
    if isSame { state.withLock { $0.isChecked = true } }
    return (author, isSame)
  }

  /// Takes the realm for this process, and keeps it until the run ends.
  ///
  /// - Returns: whether the handler's position is the one that this process left.
  private func takeLease() async throws -> Bool {
    let token = try await leases.take(path, server)
    let renewal = Task { [weak self, leases, server, path] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(10))
        guard !Task.isCancelled else { return }
        do { _ = try await leases.take(path, server) } catch {
          self?.state.withLock { $0.isLost = true }
          return
        }
      }
    }
    state.withLock { state in
      state.lease = token
      state.renewal?.cancel()
      state.renewal = renewal
    }
    _ = try await readState()
    return leases.note(state.withLock { $0.stored }, path, server.handler)
  }

  func next(_ replica: RealmReplica?) async throws -> EventBatch {
    let known = state.withLock { state in
      state.replica = replica
      return state
    }
    if known.lease == nil {
      // Most realms that are looked at at a start have nothing new.
      guard known.stored != known.present else { return .none }
      _ = try await takeLease()
    }
    let stored = state.withLock { $0.isChecked ? nil : $0.stored }
    if let stored, let replica, replica.position != stored {
      let response = try await server.call("GET", "/contents", query: query + [("at", "position")], known: [410])
      guard response.status != 410 else { return .gap(gap(after: stored)) }
      try await fill(replica, from: response)
    }
    state.withLock { $0.isChecked = true }
    let response = try await server.call(
      "GET", "/transactions", query: query + [("form", "changesets"), ("limit", "1000")], known: [410])
    guard response.status != 410 else { return .gap(gap(after: known.stored)) }
    let events = try events(response)
    guard let end = events.last?.position else { return .none }
    return .commits(events, end: end)
  }

  private func gap(after position: SaltedServerVersion) -> FeedGap {
    FeedGap(
      cursor: server.handler, position: position.version, newest: state.withLock { $0.present }, reason: .trimmed)
  }

  /// The transactions of an answer.
  func events(_ response: HTTPResponse) throws -> [RealmEvent] {
    let done = state.withLock { $0.written } >> 8
    return try RemoteServer.lines(response).map { line in
      guard let author = line["author"]?.unsignedInteger, let time = line["time"]?.integer,
        let bytes = line["changeset"]?.string.flatMap({ Data(base64Encoded: $0) })
      else { throw RemoteServer.lacks("changeset") }
      var event = RealmEvent(
        position: try line.position(), author: FileIdent(author),
        timestamp: OriginTimestamp(unixMilliseconds: time), changeset: Array(bytes))
      event.isHandled = event.position.version.rawValue <= done
      return event
    }
  }

  /// Makes a copy that of an answer with all of the realm.
  func fill(_ replica: RealmReplica, from response: HTTPResponse) async throws {
    try await perform {
      var lines = try RemoteServer.lines(response)[...]
      guard let position = try lines.popFirst()?.position() else { throw RemoteServer.lacks("position") }
      try replica.makeEmpty(at: position)
      while !lines.isEmpty {
        let portion = lines.prefix(1_024)
        lines = lines.dropFirst(1_024)
        let steps = try portion.flatMap { try ($0["instructions"]?.elements ?? []).map { try AdapterInstruction($0) } }
        try replica.apply(steps.changeset(at: OriginTimestamp(0)), making: position)
      }
    }
  }

  func takePresent(
    _ replica: RealmReplica?, then difference: @escaping @Sendable (RealmContents) throws -> Void
  ) async throws -> (position: SaltedServerVersion, schema: Schema) {
    guard let replica else { throw RemoteServer.lacks("copy") }
    try await fill(replica, from: try await server.call("GET", "/contents", query: query))
    return try await perform {
      guard let contents = try replica.contents(), let position = replica.position else {
        throw RemoteServer.lacks("position")
      }
      try difference(contents)
      return (position, contents.schema)
    }
  }

  func advance(to position: SaltedServerVersion) async throws {
    _ = try await server.call(
      "POST", "/position", body: body + [("position", .string(AdapterPosition.text(position)))])
    leases.note(position, path, server.handler)
  }

  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  func realmForWriting(_ target: ChangeDetails.WriteTarget) throws -> Realm {
    throw EventError(
      .notHere, "the files of the realm are those of another process",
      remedy: "write with details.write, or open the realm with a configuration of the user")
  }

  func noteCommit() {}
}
