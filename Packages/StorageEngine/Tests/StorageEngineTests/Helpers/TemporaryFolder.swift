import Foundation

/// A folder that is removed with its owner.
final class TemporaryFolder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "storage-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "test.realm") -> String { path + "/" + name }
}
