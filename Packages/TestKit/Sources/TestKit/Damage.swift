/// Broken variants of bytes. A decoder must give a typed error or a value for each, never trap.
public enum Damage {
  /// Every proper prefix of the bytes.
  public static func truncations(of bytes: [UInt8]) -> [[UInt8]] {
    (0..<bytes.count).map { Array(bytes.prefix($0)) }
  }

  /// The bytes with each single bit flipped in turn.
  public static func bitFlips(of bytes: [UInt8]) -> [[UInt8]] {
    (0..<bytes.count * 8).map { bit in
      var copy = bytes
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      return copy
    }
  }

  /// A random mixture: flips, cuts, repeats and insertions of random bytes.
  public static func random(of bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var copy = bytes
    for _ in 0...Int.random(in: 0..<4, using: &random) {
      let at = Int.random(in: 0...copy.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where at < copy.count: copy[at] = UInt8.random(in: 0...255, using: &random)
      case 1: copy.removeSubrange(at...)
      case 2: copy.insert(contentsOf: copy[at...].prefix(9), at: at)
      default: copy.insert(UInt8.random(in: 0...255, using: &random), at: at)
      }
    }
    return copy
  }
}
