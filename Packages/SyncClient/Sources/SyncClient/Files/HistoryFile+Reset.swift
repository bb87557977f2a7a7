import ChangesetOT
import Foundation
import RecordStore
import SyncProtocol
import Synchronization

extension HistoryFile: ResettableFile {
  private static let freshCount = Atomic<UInt64>(0)

  func incarnations() throws -> [ClientIncarnation] { try ClientHistory(realm).incarnations() }

  func makeFresh() throws -> any SyncedFile {
    removeFresh()
    var options = realm.options
    options.recordsChangesets = true
    options.createsIfMissing = true
    // After a crash the file is thrown away and downloaded again.
    options.isDurable = false
    let number = Self.freshCount.wrappingAdd(1, ordering: .relaxed).newValue
    let location: RealmLocation =
      switch realm.location {
      case .file(let path): .file(path: "\(path).fresh-\(number)")
      case .inMemory(let name): .inMemory(name: "\(name).fresh-\(number)")
      }
    let fresh = try RealmFile.open(location, options: options)
    try handSubscriptions(to: fresh)
    return HistoryFile(fresh, isPrivate: true)
  }

  func removeFresh() {
    guard case .file(let path) = realm.location else { return }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    let prefix = url.lastPathComponent + ".fresh-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  func reset(
    to fresh: any SyncedFile, _ reset: ClientReset, untold: [CompensatingWrite],
    prepare: (ClientReset.Outcome) throws -> Void
  ) throws -> ClientReset.Outcome {
    guard let fresh = fresh as? HistoryFile else { preconditionFailure("the fresh file was made by the file itself") }
    return try ClientHistory(realm).reset(
      to: ClientHistory(fresh.realm), reset, reports: try untold.map { try RefusalReport($0).pending() },
      prepare: prepare)
  }

  func backupPath() -> String? { besides(".backup") }

  func leave(_ reset: LeftReset) throws -> LeftReset { try ClientHistory(realm).leave(reset) }

  func writeBackup(to path: String) throws { try realm.writeBackup(toPath: path) }

  func export(_ lost: [LostChange], because reason: String) throws -> String? {
    let export = LostChangesExport(reason: reason, changes: lost.map(LostChangesExport.Change.init))
    if let key = realm.options.encryptionKey {
      let path = besides(".lost.realm")
      if let path { try export.write(toRealm: path, encryptionKey: key) }
      return path
    }
    guard let path = besides(".lost.json") else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(export).write(to: URL(fileURLWithPath: path), options: .atomic)
    return path
  }

  /// A free path beside the file, with the time in its name; nil for files in memory.
  private func besides(_ ending: String) -> String? {
    guard case .file(let path) = realm.location else { return nil }
    let milliseconds = realm.options.clock().unixMilliseconds
    var number = milliseconds
    while FileManager.default.fileExists(atPath: "\(path).\(number)\(ending)") { number += 1 }
    return "\(path).\(number)\(ending)"
  }
}
