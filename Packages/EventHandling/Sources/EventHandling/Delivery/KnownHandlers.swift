import Foundation

/// The names of the handlers that every realm of their start knows: a realm without their cursor was made later, and is told from
/// its beginning.
struct KnownHandlers {
  private let file: URL
  private(set) var names: Set<String> = []

  /// Reads the names in a folder, which is made when it is missing.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory`.
  init(in folder: String) throws {
    file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("handlers.json")
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if FileManager.default.fileExists(atPath: file.path) {
        names = Set(try JSONDecoder().decode([String].self, from: Data(contentsOf: file)))
      }
    } catch {
      throw EventError(
        .workingDirectory, "the working directory \(folder) cannot be used",
        remedy: "check its permissions, or remove handlers.json in it: handlers then begin with what comes",
        cause: error)
    }
  }

  /// Adds a name, durably.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory`.
  mutating func insert(_ name: String) throws {
    guard names.insert(name).inserted else { return }
    do { try JSONEncoder().encode(names.sorted()).write(to: file, options: .atomic) } catch {
      names.remove(name)
      throw EventError(
        .workingDirectory, "\(file.path) cannot be written", remedy: "check its permissions and the disk", cause: error)
    }
  }
}
