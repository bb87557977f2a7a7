/// The exit status of a tool.
public struct ExitCode: RawRepresentable, Equatable, Hashable, Sendable {
  /// The number, 0 to 255.
  public var rawValue: Int32

  /// An exit code of another meaning.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// 0: done.
  public static let success = ExitCode(rawValue: 0)
  /// 1: understood, but it could not be done (a missing file, an unreachable server, a refusal).
  public static let failure = ExitCode(rawValue: 1)
  /// 2: the command line was not understood.
  public static let usage = ExitCode(rawValue: 2)
  /// 130: ended by Ctrl-C, as shells count it (128 and the number of the signal).
  public static let interrupted = ExitCode(rawValue: 130)
}
