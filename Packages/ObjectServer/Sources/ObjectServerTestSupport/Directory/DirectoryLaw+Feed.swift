import ObjectServer
import Permissions
import Synchronization

extension DirectoryLaw {
  /// A change by one process is in the feed that another one reads, and once.
  static func reachesOthers(
    _ one: any Directory, _ other: any Directory, _ change: DirectoryChange, _ act: (any Directory) throws -> Void
  ) throws {
    let realm = try RealmPath("/ann/todo")
    try addUser("ann", to: one)
    try one.setGrant(Grant(path: realm, grantee: .user("ben"), level: .write))
    let start = try other.changes(after: nil).position
    try act(one)
    try one.setGrant(Grant(path: realm, grantee: .everyone, level: .read))
    let heard = try other.changes(after: start)
    try expect(heard.changes == [change, .realm(realm)], "the other one hears both changes in their order")
    try expect(heard.isComplete, "the other one hears all changes")
    try expect(try other.changes(after: heard.position).changes.isEmpty, "changes are heard once")
  }

  /// A change is told to the process that made it when it is durable; reading tells nothing.
  static func changesAreTold(_ directory: any Directory) throws {
    try addUser("ann", to: directory)
    let heard = Heard()
    directory.whenChanged { [weak heard] in
      let position = (try? directory.changes(after: nil))?.position
      heard?.positions.withLock { $0.append(position) }
    }
    defer { directory.whenChanged(nil) }
    _ = try directory.user("ann")
    try expect(heard.positions.withLock { $0.isEmpty }, "reading tells nothing")
    try directory.endLogins(of: "ann", except: nil)
    try expect(heard.positions.withLock { $0 == [1] }, "a change is told once, when it can be read")
  }

  private final class Heard: Sendable {
    let positions = Mutex<[Int64?]>([])
  }

  /// A reader with a position that the feed does not have is told to look at everything.
  static func unknownPositionsAreIncomplete(_ directory: any Directory) throws {
    try addUser("ann", to: directory)
    try expect(try !directory.changes(after: 99).isComplete, "a position ahead of the feed is incomplete")
    for _ in 0..<3 { try directory.updateUser("ann", isAdministrator: nil, isDisabled: false) }
    try expect(try directory.changes(after: 1).changes.count == 2, "two changes follow the first of three")
    try expect(try directory.changes(after: 0).isComplete, "the whole feed is there")
  }
}
