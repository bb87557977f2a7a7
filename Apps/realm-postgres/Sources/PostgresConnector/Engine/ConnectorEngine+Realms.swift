import Foundation
import ObjectServer
import Permissions

// The realms that the connector follows.

extension ConnectorEngine {
  /// The realms that are held at a time.
  private static let mostHolds = 64

  /// The tables whose rows are objects of a realm.
  func tables(of path: String) -> [ClassTable] { tables.filter { $0.template.columns(of: path) != nil } }

  /// Whether a realm is followed.
  func follows(_ path: String) -> Bool { Self.follows(path, tables.map(\.template), pattern) }

  private static func follows(
    _ path: String, _ templates: [RealmPathTemplate], _ pattern: NSRegularExpression?
  ) -> Bool {
    guard templates.contains(where: { $0.columns(of: path) != nil }) else { return false }
    guard let pattern else { return true }
    return pattern.firstMatch(in: path, range: NSRange(path.startIndex..., in: path)) != nil
  }

  /// Begins to watch the realms, and takes all that there are as changed.
  func beginWatching() async throws {
    let (templates, pattern) = (Array(Set(tables.map(\.template))), pattern)
    let wake = wake
    watch = server.watchCommits(
      matching: { Self.follows($0.description, templates, pattern) }, wake: { wake.wake() })
    dirty = Set(try await server.realmPaths().map(\.description).filter(follows))
  }

  /// The followed realms that may have commits.
  func takeChangedPaths() -> [String] {
    dirty.formUnion(watch?.take().map(\.description) ?? [])
    defer { dirty = [] }
    return dirty.sorted()
  }

  /// Holds a realm, if there is one. Kept while the connector is at work: a realm that is opened anew knows nothing of its history, and
  /// each transaction that is based on an older version would be merged as if it were the first.
  func hold(_ path: String) async throws -> RealmHold? { try await hold(path, creator: nil) }

  /// Holds a realm, which is made when it is missing; waits while it is moved or deleted.
  func held(_ path: String) async throws -> RealmHold {
    while true {
      if let hold = try await hold(path, creator: UserId("postgres")) { return hold }
      guard !isStopping() else { throw StoppedError() }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private func hold(_ path: String, creator: UserId?) async throws -> RealmHold? {
    releaseWanted()
    if let hold = holds[path] { return hold }
    if holds.count >= Self.mostHolds { holds = [:] }
    let hold = try await server.hold(try RealmPath(path), creator: creator)
    holds[path] = hold
    return hold
  }

  /// Gives back the realms that are to be moved or deleted.
  func releaseWanted() { holds = holds.filter { !$0.value.isWanted } }

  /// Looks at a realm again.
  func markChanged(_ path: String) { dirty.insert(path) }
}
