import ChangesetOT
import RecordStore
import SyncProtocol

/// A synced file that can be reset to the server's state. Called in the file's queue.
protocol ResettableFile: SyncedFile {
  /// The idents of the file, the present one first, then those from before its resets.
  func incarnations() throws -> [ClientIncarnation]
  /// Makes the empty file that gets the server's state, and removes the files of interrupted resets.
  func makeFresh() throws -> any SyncedFile
  /// Takes over the state of the fresh file in one commit. `prepare` is called before the commit: when it throws, the
  /// file stays as it was. Of the untold refusals, those that the application was not given are kept for it.
  func reset(
    to fresh: any SyncedFile, _ reset: ClientReset, untold: [CompensatingWrite],
    prepare: (ClientReset.Outcome) throws -> Void
  ) throws -> ClientReset.Outcome
  /// Removes the fresh files.
  func removeFresh()
  /// A path beside the file for a backup. Nil for files in memory.
  func backupPath() -> String?
  /// Notes that a reset is left to the application; gives what was noted of the same reset before.
  func leave(_ reset: LeftReset) throws -> LeftReset
  /// Writes a copy of the whole file.
  func writeBackup(to path: String) throws
  /// Lists the changes that a reset loses in a new file for people, beside this one.
  ///
  /// - Returns: the path; nil for files in memory.
  func export(_ lost: [LostChange], because reason: String) throws -> String?
}
