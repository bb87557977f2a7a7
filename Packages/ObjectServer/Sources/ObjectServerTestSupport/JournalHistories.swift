public import ObjectServer
public import Permissions
import Synchronization

/// The realms of one server as journals: merged histories in memory, without the state that they lead to.
///
/// The reference for ``EmbeddedHistories``, which must send the same entries: it merges by the same transformer and keeps
/// everything else as simple as possible. Journals outlive the servers that open them. A journal does not detect changesets
/// that merge but do not fit the state.
public final class JournalHistories: HistoryStores {
  private let journals = Mutex<[Permissions.RealmPath: JournalHistory]>([:])
  private let random: RandomSource

  /// No realms; `random` draws the salts.
  public init(random: RandomSource) { self.random = random }

  /// The journal of a realm, a new one if there is none.
  ///
  /// - Throws: never.
  public func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    journals.withLock { journals in
      if let journal = journals[path] { return journal }
      let journal = JournalHistory(random: random)
      journals[path] = journal
      return journal
    }
  }

  /// Removes the journal of a realm.
  ///
  /// - Throws: never.
  public func remove(_ path: Permissions.RealmPath) throws { journals.withLock { $0[path] = nil } }

  /// Moves the journal of a realm.
  ///
  /// - Throws: never.
  public func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    journals.withLock { journals in
      journals[newPath] = journals[path]
      journals[path] = nil
    }
  }
}
