import StorageEngine

/// A sealing that hides nothing, but refuses a wrong context.
struct ToySealing: Sealing, SealingKey {
  var key: UInt8
  var fingerprint: [UInt8] { [1, key ^ 0xFF] }

  func sealing(salt: [UInt8]) throws -> any Sealing { self }

  private func mask(_ context: SealingContext) -> UInt8 { context.bytes.reduce(key, ^) }

  func seal(_ content: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8] {
    let mask = mask(context)
    return [0x5E] + content.map { $0 ^ mask }
  }

  func open(_ sealed: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8] {
    guard sealed.first == 0x5E else { throw StorageError(.corrupt, "The seal is broken.") }
    let mask = mask(context)
    return sealed.dropFirst().map { $0 ^ mask }
  }
}
