import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import Permissions
import PostgresClient
import RecordStore

// The last step of a load: what changed meanwhile.

extension ConnectorEngine {
  /// The marker of a portion of a load. It has no version: only the end of the load gives the tables the version of the realm.
  static func portionMarker(_ path: String) -> String {
    marker(SaltedServerVersion(version: .zero, salt: 0), path, "load")
  }

  /// Makes the rows equal to their objects that either side has touched since the connector knows the realm, and stores the position.
  ///
  /// Until then changes of rows were merged with those of the realm, and the load wrote an older state over the result. The realm's
  /// history would not tell of it again: its deletions before the load's position are not followed, and neither is what the connector
  /// itself wrote.
  func endLoad(_ load: TableLoad, _ tables: [ClassTable], _ hold: RealmHold) async throws {
    let (name, path) = (adapterName, load.path)
    try await exclusively(tables) {
      let changed = try await hold.perform { history -> SendableBox<ChangedObjects>? in
        var adapter = try Self.adapter(name, path, history)
        do {
          return try adapter.changedObjects(includesOwn: true).map(SendableBox.init)
        } catch is FeedError {
          // The history is gone that far: to follow the realm fails as well, and compares all of it.
          return nil
        }
      }?.value
      try begin(Self.marker(load.position, path, "load"))
      if let changed {
        let writes = try RowWrites(
          changed.objects.map { ($0, nil) }, in: changed.contents, at: changed.position, tables, path: path)
        for letter in try performEach(writes, path) { try keep(letter) }
      }
      try storePosition(load.position, path)
      try connection.query(
        "DELETE FROM openrealm.loads WHERE connector = $1 AND realm = $2", [configuration.name, path])
    }
  }
}
