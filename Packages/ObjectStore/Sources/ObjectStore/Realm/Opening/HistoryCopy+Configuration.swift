import RecordStore

extension HistoryCopy {
  /// The part of the history that a copy for `target` needs of a file that is replicated as `source` says.
  init(from source: Realm.Configuration, role: HistoryRole?, to target: Realm.Configuration) {
    switch (role, target.replication) {
    case (.client, let replication?) where replication.realmIdentity == source.replication?.realmIdentity:
      self = .continued
    case (.client, nil) where !target.recordsChangesets: self = .dropped
    case (.client, nil), (.server, _), (nil, nil): self = .kept
    case (_, _?): self = .begunAnew
    }
  }
}
