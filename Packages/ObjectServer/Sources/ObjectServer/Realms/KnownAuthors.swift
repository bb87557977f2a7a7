import ChangesetOT
import Permissions

/// The users of client files that this process saw, so that the history can name them. On the loop.
struct KnownAuthors {
  /// The most files that are remembered.
  static let limit = 65_536

  private var users: [Permissions.RealmPath: [FileIdent: UserId]] = [:]
  private var count = 0

  /// Records whose file it is. Everything is forgotten when there are too many.
  mutating func note(_ file: FileIdent, of user: UserId, in path: Permissions.RealmPath) {
    if count >= Self.limit { (users, count) = ([:], 0) }
    if users[path, default: [:]].updateValue(user, forKey: file) == nil { count += 1 }
  }

  /// Forgets a realm that is not at its path any more: another one there has other files.
  mutating func forget(_ path: Permissions.RealmPath) { count -= users.removeValue(forKey: path)?.count ?? 0 }

  /// The users of the files of a realm that are known.
  func users(of path: Permissions.RealmPath) -> [FileIdent: UserId] { users[path] ?? [:] }
}
