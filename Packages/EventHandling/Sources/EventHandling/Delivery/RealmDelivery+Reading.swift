import ChangesetOT
import CommitFeed
import ObjectServer
import RecordStore

extension RealmDelivery {
  /// Makes the handler known to the realm, and checks that the realm is still that of the events in memory.
  func prepare(_ hold: RealmHold) async throws {
    let (cursor, budget, start) = (cursor, budget, start)
    let first = missed?.position ?? queue.first?.position ?? handled
    let path = path.description
    let (author, isSame) = try await hold.perform { history -> (FileIdent, Bool) in
      let feed = CommitFeed(of: path, history)
      _ = try feed.reader(cursor, budget: budget, from: start)
      var random = SystemRandomNumberGenerator()
      let author = try history.feedAuthor(cursor, random: &random)
      guard let first else { return (author, true) }
      do { try feed.check(first) } catch is FeedError { return (author, false) }
      return (author, true)
    }
    if !isSame { forget() }
    if let known = self.author, known != author { forget() }
    self.author = author
  }

  /// Reads events, or makes the difference after a gap, unless there are some.
  ///
  /// - Returns: whether there is something to tell.
  func fill(_ hold: RealmHold) async throws -> Bool {
    guard queue.isEmpty, missed == nil else { return true }
    // The reader goes on from the stored position.
    try await storePosition(hold)
    let (cursor, budget, start) = (cursor, budget, start)
    let (path, replica) = (path.description, replica)
    let batch = try await hold.perform { history -> EventBatch in
      let feed = CommitFeed(of: path, history)
      var reader = try feed.reader(cursor, budget: budget, from: start)
      do {
        guard let batch = try reader.next() else { return .none }
        if let replica, replica.position != batch.start {
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
    switch batch {
    case .none: return false
    case .commits(let events, let end):
      queue = events[...]
      queueEnd = end
    case .gap(let gap):
      observer.caughtUp(over: gap)
      missed = try await difference(hold)
    }
    return true
  }

  /// Makes durable what is handled.
  func storePosition(_ hold: RealmHold) async throws {
    guard let handled else { return }
    let cursor = cursor
    try await hold.perform { try $0.advanceFeedCursor(cursor, to: handled) }
    self.handled = nil
    lastStored = ContinuousClock.now
  }
}

/// The names of the cursors of handlers.
enum EventCursor {
  static func name(of handler: String) -> String { "events " + handler }
}
