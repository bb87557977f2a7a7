import Foundation
public import Permissions

/// A data directory that is being made, with the keys of another one.
public struct DataDirectoryDraft: Sendable {
  /// The directory of users, empty at first.
  public let directory: SQLiteDirectory
  let layout: DataLayout

  /// The folder of the keys.
  public var keys: String { layout.keys }

  /// The path for the file of a realm, whose folder exists.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  public func file(of path: RealmPath) throws(ServerError) -> String {
    let file = layout.realms + "/" + RealmFileName.relativePath(of: path)
    try PrivateFolder.make(ofFile: file)
    return file
  }
}

extension EmbeddedServer {
  /// Makes a data directory with the keys of this one. It is at `folder` when all is done, complete and on disk; until then it is called
  /// `<folder>.partial`, and what an interrupted call left under that name is replaced.
  ///
  /// - Parameters:
  ///   - folder: must not exist.
  ///   - fill: fills the directory of users, and makes the files of realms.
  /// - Throws: the error of `fill`; ``ServerError/Code/dataDirectoryUnusable`` when there is something, or it cannot be made. Nothing is
  ///   left then.
  public func makeDataDirectory<Value>(
    at folder: String, fill: (DataDirectoryDraft) throws(ServerError) -> Value
  ) throws(ServerError) -> Value {
    let target = DataLayout(folder)
    guard !FileManager.default.fileExists(atPath: target.root) else {
      throw ServerError(
        .dataDirectoryUnusable, "\(target.root) exists already", remedy: "name a folder that does not exist")
    }
    let draft = DataLayout(target.root + ".partial")
    try? FileManager.default.removeItem(atPath: draft.root)
    return try FileCopies.make(target.root, as: draft.root, or: .dataDirectoryUnusable) { () throws(ServerError) in
      try PrivateFolder.make(draft.realms)
      try FileCopies.copyKeys(from: layout, to: draft)
      PrivateModes.makeFile(draft.directory)
      let directory = try SQLiteDirectory(path: draft.directory)
      let value: Value
      do throws(ServerError) { value = try fill(DataDirectoryDraft(directory: directory, layout: draft)) } catch {
        directory.close()
        throw error
      }
      directory.close()
      for file in [draft.directory] + draft.realmFiles().map({ draft.realms + "/" + $0 }) {
        unlink(file + ".lock")
        try FileCopies.finish(file)
      }
      FileCopies.syncFolders(below: draft.root)
      return value
    }
  }
}
