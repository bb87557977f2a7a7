import ChangesetOT
import CommitFeed
import ObjectServer
import ObjectStore
import RecordStore

extension RealmDelivery {
  /// Tells one transaction; the handler's own are passed over.
  func handle(_ event: RealmEvent, _ hold: RealmHold) async throws {
    let prepared = try await prepared(event, hold)
    guard event.author != author else { return observer.skippedOwn() }
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path.description, position: event.position), author: event.author,
      timestamp: event.timestamp, isCatchUp: false, previousRealm: prepared.before, currentRealm: prepared.after,
      changes: prepared.changes, schema: event.schema, hold: hold, target: target(event.position))
    try await call(details, event.timestamp)
  }

  /// Tells everything that is different from the last state that the handler saw, in one call.
  func handle(_ missed: Missed, _ hold: RealmHold) async throws {
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path.description, position: missed.position), author: .server,
      timestamp: OriginTimestamp(0), isCatchUp: true, previousRealm: missed.state.before,
      currentRealm: missed.state.after, changes: missed.state.changes, schema: missed.schema, hold: hold,
      target: target(missed.position))
    try await call(details, nil)
  }

  /// Lets the copy take the event over, once, and tells its changes. A copy that cannot is discarded.
  private func prepared(_ event: RealmEvent, _ hold: RealmHold) async throws -> Prepared {
    let version = event.position.version
    if let prepared, prepared.version == version { return prepared }
    let (replica, types) = (replica, handler.objectTypes)
    let isFirst = replica?.position == .zero
    do {
      let prepared = try await hold.perform { _ -> UncheckedBox<Prepared> in
        var prepared = Prepared(version: version, changes: [:])
        guard let replica else {
          prepared.changes = .init(event.changes ?? [], schema: event.schema, previous: nil, current: nil)
          return UncheckedBox(prepared)
        }
        if !isFirst { prepared.before = try replica.frozen(types) }
        let old = event.changes == nil ? try replica.contents() : nil
        try replica.apply(event.changeset, making: version)
        prepared.after = try replica.frozen(types)
        if let changes = event.changes {
          prepared.changes = .init(changes, schema: event.schema, previous: prepared.before, current: prepared.after)
        } else if let new = try replica.contents() {
          prepared.changes = try .init(from: old, to: new, previous: prepared.before, current: prepared.after)
        }
        return UncheckedBox(prepared)
      }.value
      self.prepared = prepared
      return prepared
    } catch {
      replica?.discard()
      throw error
    }
  }

  /// The difference between the last state that the handler saw and the present one. It is kept until it is told, since the copy
  /// then has the present state already.
  func difference(_ hold: RealmHold) async throws -> Missed {
    let (path, replica, types) = (path.description, replica, handler.objectTypes)
    return try await hold.perform { history -> UncheckedBox<Missed> in
      let (position, contents) = try CommitFeed(of: path, history).present()
      var state = Prepared(version: position.version, changes: [:])
      if let replica {
        let old = try replica.contents()
        state.before = try replica.frozen(types)
        try replica.makeState(contents, at: position.version)
        state.after = try replica.frozen(types)
        state.changes = try .init(from: old, to: contents, previous: state.before, current: state.after)
      }
      return UncheckedBox(Missed(state: state, position: position, schema: contents.schema))
    }.value
  }
}

/// Carries a value to another thread that is not used on this one any more.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
