import Glibc

/// The seed and the number of runs of random tests, from `SEED` and `RUNS`.
enum Seed {
  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  static var current: UInt64 { environment("SEED").flatMap { UInt64($0) } ?? 1 }
  static func runs(_ usual: Int) -> Int { environment("RUNS").flatMap { Int($0) } ?? usual }
}

/// A small generator of random numbers with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
