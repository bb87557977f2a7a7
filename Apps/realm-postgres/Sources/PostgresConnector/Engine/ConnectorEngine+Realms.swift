import Foundation
import ObjectServer
import Permissions

// The realms that the connector follows.

extension ConnectorEngine {
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

  /// Looks at a realm again.
  func markChanged(_ path: String) { dirty.insert(path) }
}
