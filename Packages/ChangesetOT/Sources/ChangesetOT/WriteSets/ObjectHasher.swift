import DataModel

/// Hash values of object references, with the hash of the last class name kept.
///
/// Integer keys get different hash values within one class. Consecutive instructions mostly address one class, so its name
/// is hashed once for all of them.
struct ObjectHasher: Sendable {
  private var className = ""
  private var classHash = "".hashValue

  mutating func hash(_ object: ObjectReference) -> Int {
    if object.className != className {
      className = object.className
      classHash = className.hashValue
    }
    guard case .int(let number) = object.key else {
      var hasher = Hasher()
      hasher.combine(classHash)
      hasher.combine(object.key)
      return hasher.finalize()
    }
    // The finalizer of SplitMix64: a bijection of 64 bits.
    var bits = UInt64(bitPattern: number) &+ UInt64(bitPattern: Int64(classHash))
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits ^ bits >> 31)
  }
}
