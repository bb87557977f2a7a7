import StorageEngine

/// A sealing that hides nothing from anybody, but shows where the seam is.
struct ToySealing: Sealing, SealingKey {
  var key: UInt8
  var fingerprint: [UInt8] { [1, key ^ 0xFF] }

  func sealing(salt: [UInt8]) throws -> any Sealing { self }

  private func mask(_ place: SealedPlace) -> UInt8 { place.bytes.reduce(key, ^) }

  func seal(_ content: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8] {
    let mask = mask(place)
    return [0x5E] + content.map { $0 ^ mask }
  }

  func open(_ sealed: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8] {
    guard sealed.first == 0x5E else { throw StorageError(.corrupt, "The seal is broken.") }
    let mask = mask(place)
    return sealed.dropFirst().map { $0 ^ mask }
  }
}
