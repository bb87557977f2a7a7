import Foundation

extension TestStorage {
  /// Ends the node of a folder, when its server has stopped.
  public static func leave(_ folder: String) {
    if !isEmbedded { TestNodes.shared.leave(folder) }
  }

  /// Copies what a stopped server has: its folder, or its database.
  ///
  /// - Parameter copy: the folder for the copy; a database has one copy.
  public static func backUp(_ folder: String, to copy: String) throws {
    guard isEmbedded else { return try TestNodes.shared.backUp(folder) }
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
  }

  /// Puts a copy in the place of what a stopped server has.
  public static func restore(_ folder: String, from copy: String) throws {
    guard isEmbedded else { return try TestNodes.shared.restore(folder) }
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: copy, toPath: folder)
  }
}
