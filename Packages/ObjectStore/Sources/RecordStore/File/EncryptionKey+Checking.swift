import StorageEngine

extension EncryptionKey {
  /// The key with these bytes; stops the program unless there are 64.
  init(checking bytes: [UInt8]) {
    if bytes.count != Self.byteCount { violated("Encryption key must be exactly 64 bytes long") }
    self.init(bytes)
  }
}
