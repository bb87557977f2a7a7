import Foundation

/// A folder for the keys of a node, which goes with the value.
final class KeysFolder: Sendable {
  let path = NSTemporaryDirectory() + "openrealm-cluster-keys-" + UUID().uuidString

  /// The keys of another node, as an operator copies them.
  func copied() throws -> KeysFolder {
    let copy = KeysFolder()
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    return copy
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
