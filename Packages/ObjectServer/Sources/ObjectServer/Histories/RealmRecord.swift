public import Permissions
public import protocol StorageEngine.CommitJournal

/// A record of realms outside of their files, such as tables of a database that several servers share. The files are then caches:
/// ``EmbeddedHistories`` has each brought up to the record before it opens it, and each commit is in the record first.
public protocol RealmRecord: Sendable {
  /// Brings the file of a realm up to the record, making or replacing it. The file may be open in this process already; it is then
  /// as it should be, or the call throws.
  ///
  /// Blocks; called off the loop.
  ///
  /// - Parameters:
  ///   - file: the path of the file, whose folder exists.
  ///   - createsIfMissing: whether a realm without a record gets one.
  /// - Returns: the journal for the file's commits; nil when there is no record of the realm.
  /// - Throws: ``ServerError/Code/clusterFailure`` when another node has the realm, or the record cannot be reached.
  func prepare(_ path: RealmPath, file: String, createsIfMissing: Bool) throws -> (any CommitJournal)?
  /// Removes the record of a realm that is not open. Does nothing when there is none.
  ///
  /// - Throws: as ``prepare(_:file:createsIfMissing:)``.
  func remove(_ path: RealmPath) throws
  /// Gives the record of a realm that is not open to another path, which has none.
  ///
  /// - Throws: as ``prepare(_:file:createsIfMissing:)``.
  func move(_ path: RealmPath, to newPath: RealmPath) throws
}
