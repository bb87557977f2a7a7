import Glibc

/// The cost of an input, with the bound on it.
struct CostMeasure {
  /// Processor time of the thread.
  var seconds: Double
  /// Bytes by which the process grew above its former high-water mark.
  var grown: Int
  /// Bytes of the input.
  var bytes: Int

  /// Seconds that every input may take: what the honest state makes necessary, and a commit.
  static let baseSeconds = 1.0
  /// Seconds for each byte: one for 100 kB.
  static let secondsPerByte = 1.0 / 100_000
  static let baseGrowth = 64 << 20
  /// Memory for each byte: 64 MB for 100 kB.
  static let growthPerByte = 640

  var isWithinBound: Bool {
    seconds <= Self.baseSeconds + Double(bytes) * Self.secondsPerByte
      && grown <= Self.baseGrowth + bytes * Self.growthPerByte
  }

  /// Time per byte, the order of the search; 256 bytes are added, so that short inputs do not win by being short.
  var badness: Double { seconds / Double(bytes + 256) }

  /// Runs `body` and measures it; it returns how many bytes it was fed.
  static func of(_ body: () -> Int) -> CostMeasure {
    let (time, memory) = (threadSeconds(), highWater())
    let bytes = body()
    return CostMeasure(seconds: threadSeconds() - time, grown: highWater() - memory, bytes: bytes)
  }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func highWater() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}
