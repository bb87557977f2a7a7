import Glibc

/// Seeds of random tests: `SEED` repeats one, `RUNS` multiplies their number.
enum Seeds {
  static func some(_ count: Int) -> [UInt64] {
    if let text = getenv("SEED"), let seed = UInt64(String(cString: text)) { return [seed] }
    let runs = getenv("RUNS").flatMap { Int(String(cString: $0)) } ?? 1
    return (1...UInt64(count * max(1, runs))).map { $0 }
  }

  struct Generator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state &* 0x2545_F491_4F6C_DD1D
    }
  }
}
