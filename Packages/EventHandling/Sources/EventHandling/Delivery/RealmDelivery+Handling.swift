import ChangesetOT
import DataModel
import ObjectStore
import RecordStore
import Synchronization

extension RealmDelivery {
  /// Tells one transaction; the handler's own, and those that its effects say it has dealt with, are passed over.
  func handle(_ event: RealmEvent, _ realm: any EventRealm) async throws {
    let prepared = try await prepared(event, realm)
    guard event.author != author else { return observer.skippedOwn() }
    guard !event.isHandled else { return }
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path.description, position: event.position), author: event.author,
      timestamp: event.timestamp, isCatchUp: false, previousRealm: prepared.before, currentRealm: prepared.after,
      changes: prepared.changes, schema: prepared.schema, realm: realm, target: target(event.position))
    try await call(details, event.timestamp)
  }

  /// Tells everything that is different from the last state that the handler saw, in one call.
  func handle(_ missed: Missed, _ realm: any EventRealm) async throws {
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path.description, position: missed.position), author: .server,
      timestamp: OriginTimestamp(0), isCatchUp: true, previousRealm: missed.state.before,
      currentRealm: missed.state.after, changes: missed.state.changes, schema: missed.state.schema, realm: realm,
      target: target(missed.position))
    try await call(details, nil)
  }

  /// Lets the copy take the event over, once, and tells its changes. A copy that cannot is discarded.
  private func prepared(_ event: RealmEvent, _ realm: any EventRealm) async throws -> Prepared {
    if let prepared, prepared.version == event.position.version { return prepared }
    let (replica, types) = (replica, handler.objectTypes)
    let isFirst = replica?.position?.version == .zero
    do {
      let prepared = try await realm.perform { () -> UncheckedBox<Prepared> in
        var prepared = Prepared(version: event.position.version, schema: event.schema ?? Schema([]))
        guard let replica else {
          prepared.changes = .init(event.changes ?? [], schema: prepared.schema, previous: nil, current: nil)
          return UncheckedBox(prepared)
        }
        if !isFirst { prepared.before = try replica.frozen(types) }
        let old = event.changes == nil ? try replica.contents() : nil
        try replica.apply(event.changeset, making: event.position)
        prepared.after = try replica.frozen(types)
        if let changes = event.changes {
          prepared.changes = .init(changes, schema: prepared.schema, previous: prepared.before, current: prepared.after)
        } else if let new = try replica.contents() {
          if event.schema == nil { prepared.schema = new.schema }
          if let touched = try event.touchedObjects() {
            prepared.changes = try .init(
              of: touched, from: old, to: new, previous: prepared.before, current: prepared.after)
          } else {
            prepared.changes = try .init(from: old, to: new, previous: prepared.before, current: prepared.after)
          }
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
  func difference(_ realm: any EventRealm) async throws -> Missed {
    let (replica, types) = (replica, handler.objectTypes)
    let before = try await realm.perform { () -> UncheckedBox<(RealmContents?, Realm?)> in
      UncheckedBox((try replica?.contents(), try replica?.frozen(types)))
    }
    let changes = Mutex<UncheckedBox<(Realm?, [String: ChangeSetDetails])>>(UncheckedBox((nil, [:])))
    let (position, schema) = try await realm.takePresent(replica) { contents in
      guard let replica else { return }
      let (old, previous) = before.value
      let current = try replica.frozen(types)
      let all = try [String: ChangeSetDetails](from: old, to: contents, previous: previous, current: current)
      changes.withLock { $0 = UncheckedBox((current, all)) }
    }
    var state = Prepared(version: position.version, schema: schema)
    state.before = before.value.1
    (state.after, state.changes) = changes.withLock { $0.value }
    return Missed(state: state, position: position)
  }
}

/// Carries a value to another thread that is not used on this one any more.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
