import Foundation
import ObjectStore

/// The deletion of a realm's file that the application asked for while the file was open. A note beside the file keeps it
/// until nobody has the file open: the next opening performs it.
struct FileDeletion {
  let path: String
  private var note: String { path + ".delete" }

  /// Notes that the file is to be deleted, and deletes it when nobody has it open.
  ///
  /// - Throws: an error of the file system when the note cannot be written.
  func ask() throws {
    try Data().write(to: URL(fileURLWithPath: note), options: .atomic)
    try performIfAsked()
  }

  /// Deletes the file if that was asked for and nobody has it open.
  ///
  /// - Throws: ``Realm/Error`` with code `fileOperationFailed` when the file system refuses.
  func performIfAsked() throws {
    guard FileManager.default.fileExists(atPath: note) else { return }
    do {
      _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: URL(fileURLWithPath: path)))
    } catch let error as Realm.Error where error.code == .alreadyOpen { return }
    // Last: what was interrupted is done again.
    try FileManager.default.removeItem(atPath: note)
  }
}
