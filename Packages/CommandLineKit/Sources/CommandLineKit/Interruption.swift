import Glibc
import Synchronization

/// Ctrl-C and SIGTERM as a question that long work asks between its steps, so that it can clean up and end.
///
///     try Interruption.watching {
///       for item in items {
///         try Interruption.check()     // throws after Ctrl-C; exit code 130
///         …
///       }
///     }
///
/// The second Ctrl-C ends the process at once, as without this.
public enum Interruption {
  /// The number of the signal that came; 0 for none.
  private static let signal = Atomic<Int32>(0)

  /// Runs work during which a first SIGINT or SIGTERM is only noted. Signals that the process ignores stay ignored.
  public static func watching<Value>(_ work: () throws -> Value) rethrows -> Value {
    let watched = begin()
    defer { end(watched) }
    return try work()
  }

  /// The same for work that suspends.
  public static func watching<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async rethrows -> Value {
    let watched = begin()
    defer { end(watched) }
    return try await work()
  }

  private static func begin() -> [Int32] {
    signal.store(0, ordering: .relaxed)
    return [SIGINT, SIGTERM].filter { number in
      let earlier = Glibc.signal(number) { number in
        Interruption.signal.store(number, ordering: .relaxed)
        Glibc.signal(number, SIG_DFL)
      }
      guard isIgnored(earlier) else { return true }
      Glibc.signal(number, SIG_IGN)
      return false
    }
  }

  private static func end(_ watched: [Int32]) {
    for number in watched { Glibc.signal(number, SIG_DFL) }
  }

  private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
    unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
  }

  /// Whether a signal came: the question for work that cannot throw.
  public static var hasCome: Bool { signal.load(ordering: .relaxed) != 0 }

  /// - Throws: ``CommandFailure`` with the exit code of the signal when one came.
  public static func check() throws(CommandFailure) {
    let number = signal.load(ordering: .relaxed)
    guard number != 0 else { return }
    throw CommandFailure(
      "interrupted", exitCode: ExitCode(rawValue: 128 + number), code: "interrupted")
  }
}
