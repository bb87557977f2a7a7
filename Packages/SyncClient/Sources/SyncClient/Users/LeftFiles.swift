import Foundation
import Synchronization

/// The folders of users who have logged out, to be removed when the program is launched next. Safe from any thread.
///
/// The list is a small file beside the users. A folder that another process syncs is left for a later launch.
final class LeftFiles: Sendable {
  private let list: URL
  private let hasBegun = Mutex(false)

  /// The list in a file.
  init(list: URL) { self.list = list }

  private func folders() -> [String] {
    (try? JSONDecoder().decode([String].self, from: Data(contentsOf: list))) ?? []
  }

  private func save(_ folders: [String]) throws {
    guard !folders.isEmpty else {
      try? FileManager.default.removeItem(at: list)
      return
    }
    try FileManager.default.createDirectory(
      at: list.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try JSONEncoder().encode(folders).write(to: list, options: .atomic)
  }

  /// Marks a folder for the next launch.
  ///
  /// - Throws: the error of the file system when the list cannot be written.
  func add(_ folder: URL) throws {
    try hasBegun.withLock { hasBegun in
      hasBegun = true
      let known = folders()
      if !known.contains(folder.path) { try save(known + [folder.path]) }
    }
  }

  /// Takes a folder back: its user has logged in again. A list that cannot be written is left as it is.
  func keep(_ folder: URL) {
    hasBegun.withLock { _ in
      let known = folders()
      if known.contains(folder.path) { try? save(known.filter { $0 != folder.path }) }
    }
  }

  /// The folders that earlier launches marked; none after the first call, and when this launch has marked one.
  func takeMarked() -> [URL] {
    hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return hasBegun ? [] : folders().map { URL(fileURLWithPath: $0, isDirectory: true) }
    }
  }

  /// Removes marked folders, and takes their marks away. One that another process syncs keeps its mark.
  func remove(_ marked: [URL]) {
    let removed = Set(marked.filter(Self.remove).map(\.path))
    guard !removed.isEmpty else { return }
    hasBegun.withLock { _ in try? save(folders().filter { !removed.contains($0) }) }
  }

  /// Removes a folder with the realms in it, unless another process syncs one of them.
  ///
  /// - Returns: whether it is gone.
  private static func remove(_ folder: URL) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var locks: [ProcessLock] = []
    for name in names where name.hasSuffix(".sync-lock") {
      guard let lock = ProcessLock(path: folder.appendingPathComponent(name).path) else { return false }
      locks.append(lock)
    }
    try? FileManager.default.removeItem(at: folder)
    return withExtendedLifetime(locks) { !FileManager.default.fileExists(atPath: folder.path) }
  }
}
