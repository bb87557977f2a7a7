/// Hashes of keys, by which ``PendingEdits`` finds the edits of a key.
enum KeyHash {
  static func of(_ number: Int64) -> UInt32 {
    let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: mixed >> 32)
  }

  static func of(_ key: [UInt8]) -> UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
