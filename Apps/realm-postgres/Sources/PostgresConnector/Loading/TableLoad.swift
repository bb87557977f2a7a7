import ChangesetOT
import RecordStore

/// A load of tables from one realm, in one state of it.
struct TableLoad {
  let path: String
  /// The state, without links to objects that it does not have.
  let contents: RealmContents
  /// The position from which the realm is followed afterwards: that of the first state of the load.
  let position: SaltedServerVersion
  var meter: LoadMeter?

  func letter(_ record: ObjectRecord, _ reason: String) -> DeadLetter {
    DeadLetter(
      direction: .toPostgres, position: "\(position.version.rawValue)", realm: path, className: record.className,
      key: "\(record.key)", reason: reason)
  }
}
