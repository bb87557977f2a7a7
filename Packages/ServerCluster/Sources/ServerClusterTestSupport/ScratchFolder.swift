import Foundation
import ObjectServer
import Permissions
import protocol StorageEngine.CommitJournal

/// A folder that goes with the value.
final class ScratchFolder: Sendable {
  let path = NSTemporaryDirectory() + "openrealm-scratch-" + UUID().uuidString

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The record of realms that no test names a folder for: the folder goes with the record.
final class ScratchRecord: RealmRecord {
  private let inner: any RealmRecord
  private let folder: ScratchFolder

  init(inner: any RealmRecord, folder: ScratchFolder) {
    self.inner = inner
    self.folder = folder
  }

  func prepare(_ path: RealmPath, file: String, createsIfMissing: Bool) throws -> (any CommitJournal)? {
    try inner.prepare(path, file: file, createsIfMissing: createsIfMissing)
  }
  func remove(_ path: RealmPath) throws { try inner.remove(path) }
  func move(_ path: RealmPath, to newPath: RealmPath) throws { try inner.move(path, to: newPath) }
}
