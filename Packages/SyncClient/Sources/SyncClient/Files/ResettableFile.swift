import ChangesetOT
import RecordStore
import SyncProtocol

/// What a session needs of a file that can be reset.
protocol ResettableFile: SyncedFile {
  /// Who the file is to the server, and who it was before its resets: the latest first.
  func incarnations() throws -> [ClientIncarnation]
  /// A file of its own, empty, into which the server's state is downloaded. What an interrupted reset left is removed.
  func makeFresh() throws -> any SyncedFile
  /// Takes the state of the fresh file over, in one commit, before which `prepare` is called: when it throws, the file
  /// stays as it is.
  func reset(
    to fresh: any SyncedFile, _ reset: ClientReset, prepare: (ClientReset.Outcome) throws -> Void
  ) throws -> ClientReset.Outcome
  /// Removes fresh files.
  func removeFresh()
  /// A path beside the file for a backup. Nil for files in memory.
  func backupPath() -> String?
  /// Writes a copy of the whole file.
  func writeBackup(to path: String) throws
  /// Writes what a reset loses beside the file, readable; gives its path. Nil for files in memory.
  func export(_ lost: [LostChange], because reason: String) throws -> String?
}
