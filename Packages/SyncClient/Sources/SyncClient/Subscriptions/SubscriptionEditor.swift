import RecordStore
import Synchronization

/// A set of subscriptions while it is shown or changed. Safe from any thread.
final class SubscriptionEditor: Sendable {
  struct Content: Sendable {
    /// The set that is shown.
    var set: SubscriptionSetRecord
    /// The subscriptions as changed so far; nil outside of an update.
    var draft: [SubscriptionRecord]?
    /// The first mistake of the update.
    var mistake: (any Error)?
  }

  let store: SubscriptionStore
  private let content: Mutex<Content>

  init(_ store: SubscriptionStore, _ set: SubscriptionSetRecord) {
    self.store = store
    content = Mutex(Content(set: set))
  }

  var shown: [SubscriptionRecord] { content.withLock { $0.draft ?? $0.set.subscriptions } }
  var set: SubscriptionSetRecord { content.withLock { $0.set } }

  /// Changes the draft.
  ///
  /// - Precondition: an update is under way.
  func change(_ body: (inout [SubscriptionRecord]) throws -> Void) {
    content.withLock { content in
      guard var draft = content.draft else {
        preconditionFailure("Can only add, remove, or update subscriptions within a write subscription block.")
      }
      do { try body(&draft) } catch { content.mistake = content.mistake ?? error }
      content.draft = draft
    }
  }

  /// Stores what `body` does to the set as the next one, which is shown from then on. Writes nothing when nothing changed.
  ///
  /// - Throws: the first mistake in a query, or ``RecordStoreError``; nothing is stored then.
  func update(_ body: () -> Void) throws {
    try store.update { subscriptions in
      let present = subscriptions
      content.withLock { content in
        content.draft = present
        content.mistake = nil
      }
      body()
      let (draft, mistake) = content.withLock { content in
        defer { content.draft = nil }
        return (content.draft ?? present, content.mistake)
      }
      if let mistake { throw mistake }
      subscriptions = draft
    }
    try refresh()
  }

  /// Shows the newest set.
  func refresh() throws {
    guard let latest = try store.sets()?.latest else { return }
    content.withLock { $0.set = latest }
  }
}
