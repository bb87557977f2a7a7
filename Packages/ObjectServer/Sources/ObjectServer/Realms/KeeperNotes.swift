import ChangesetOT
import RecordStore
import Permissions
import Synchronization

/// What a keeper found out about a realm, and need not find out again when its files were closed in between.
struct KeeperNotes: Sendable {
  /// The last measurement of the state: most clients come while nothing changes.
  var plan: BootstrapPlan?
  /// Bytes of history at which the state was found to be no shorter.
  var pastIsShortUpTo = 0
  /// When the history was last looked at; nil before that.
  var lookedAt: OriginTimestamp?
  /// Bytes of history after that.
  var bytesThen = 0

  /// Whether it took so long to find out that it is kept. A short history is looked at in no time.
  func isWorthKeeping(from leastBytes: Int) -> Bool {
    plan != nil || pastIsShortUpTo > 0 || bytesThen >= leastBytes
  }
}

/// The notes about realms that are closed.
final class KeeperNotesBook: Sendable {
  private let pages = Mutex<[RealmPath: KeeperNotes]>([:])

  func notes(on path: RealmPath) -> KeeperNotes? { pages.withLock { $0[path] } }
  func set(_ notes: KeeperNotes?, on path: RealmPath) { pages.withLock { $0[path] = notes } }
  func forget(_ path: RealmPath) { set(nil, on: path) }
}

/// The page of one realm in the book.
struct KeptNotes: Sendable {
  private let book: KeeperNotesBook
  private let path: RealmPath

  init(_ book: KeeperNotesBook, _ path: RealmPath) {
    self.book = book
    self.path = path
  }

  func read() -> KeeperNotes { book.notes(on: path) ?? KeeperNotes() }
  func write(_ notes: KeeperNotes?) { book.set(notes, on: path) }
}
