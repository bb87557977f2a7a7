import Foundation
import Permissions
import Synchronization

/// Remembers what lists show of realms for as long as the files are those that were looked into, so that a page of realms that
/// rest costs no opening of files. From any thread.
final class OverviewCache: Sendable {
  /// The realms that are remembered at most.
  static let mostRealms = 50_000

  /// A state of a realm's file and of its write-ahead log. A commit changes the second one at least.
  struct Stamp: Hashable, Sendable {
    private var parts: [Int64] = []
    private var newest: Int64 = 0

    /// - Parameter file: the path of the realm's file.
    init(of file: String) {
      for path in [file, file + "-wal"] {
        var found = stat()
        guard stat(path, &found) == 0 else {
          parts.append(-1)
          continue
        }
        let time = Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec)
        parts += [Int64(found.st_size), Int64(bitPattern: UInt64(found.st_ino)), time]
        newest = max(newest, time)
      }
    }

    /// Whether the files had been at rest for a while when the stamp was made: a later change then has another time.
    func wasAtRest(at now: Date) -> Bool {
      now.timeIntervalSince1970 * 1_000_000_000 - Double(newest) > 2_000_000_000
    }
  }

  private let known = Mutex<[RealmPath: (stamp: Stamp, overview: RealmOverview)]>([:])

  /// The overview of a realm, made when its files are not those that it was made of.
  func overview(
    of path: RealmPath, in file: String, at now: Date = Date(), _ make: () throws(ServerError) -> RealmOverview
  ) throws(ServerError) -> RealmOverview {
    let stamp = Stamp(of: file)
    if let found = known.withLock({ $0[path] }), found.stamp == stamp { return found.overview }
    let made = try make()
    guard stamp.wasAtRest(at: now) else { return made }
    known.withLock { known in
      if known.count >= Self.mostRealms { known.removeAll() }
      known[path] = (stamp, made)
    }
    return made
  }
}
