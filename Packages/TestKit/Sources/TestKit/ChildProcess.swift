import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A program that a test starts, as Foundation's `Process`, for processes that start many at once.
///
/// The child holds its three standard streams and no other descriptor: a pipe ends when its own child ends, although others start
/// at the same moment. `Process` lets such children keep each other's pipes, and reads past its buffer while another thread opens files.
///
///     let process = ChildProcess(), output = Pipe()
///     process.executableURL = URL(fileURLWithPath: "/bin/echo")
///     process.arguments = ["hello"]
///     process.standardOutput = output
///     try process.run()
///     try output.fileHandleForReading.readToEnd()  // "hello\n"
///     process.waitForEnd()                         // 0
public final class ChildProcess: Sendable {
  private struct State {
    var settings = ChildSettings()
    var identifier: pid_t = 0
    var status: Int32?
  }
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  /// A process that does not run yet.
  public init() {}

  /// The program.
  public var executableURL: URL? {
    get { state.withLock { $0.settings.executableURL } }
    set { state.withLock { $0.settings.executableURL = newValue } }
  }
  /// The words after the program's name.
  public var arguments: [String]? {
    get { state.withLock { $0.settings.arguments } }
    set { state.withLock { $0.settings.arguments = newValue } }
  }
  /// The child's environment; nil is this process's own.
  public var environment: [String: String]? {
    get { state.withLock { $0.settings.environment } }
    set { state.withLock { $0.settings.environment = newValue } }
  }
  /// The folder that it starts in; nil is this process's own.
  public var currentDirectoryURL: URL? {
    get { state.withLock { $0.settings.currentDirectoryURL } }
    set { state.withLock { $0.settings.currentDirectoryURL = newValue } }
  }
  /// Where the child reads from; nil is this process's own input.
  public var standardInput: (any ChildStream)? {
    get { state.withLock { $0.settings.streams[0] } }
    set { state.withLock { $0.settings.streams[0] = newValue } }
  }
  /// Where the child writes to; nil is this process's own output.
  public var standardOutput: (any ChildStream)? {
    get { state.withLock { $0.settings.streams[1] } }
    set { state.withLock { $0.settings.streams[1] = newValue } }
  }
  /// Where the child complains; nil is where this process does.
  public var standardError: (any ChildStream)? {
    get { state.withLock { $0.settings.streams[2] } }
    set { state.withLock { $0.settings.streams[2] = newValue } }
  }

  /// Starts the program, and closes this process's copies of the ends of pipes that the child holds.
  ///
  /// - Throws: `POSIXError` when the program cannot be started.
  public func run() throws {
    let settings = state.withLock { $0.settings }
    let identifier = try settings.spawn()
    state.withLock { $0.identifier = identifier }
    for (number, stream) in settings.streams.enumerated() { stream?.closeChildEnd(isInput: number == 0) }
    // The end is taken at once, whoever asks for it: the library of tests looks for its own children among all that have ended, and
    // sees none of them behind one that stays.
    Thread.detachNewThread { self.finish(identifier) }
  }

  private func finish(_ identifier: pid_t) {
    var info = siginfo_t()
    while waitid(P_PID, id_t(identifier), &info, WEXITED) != 0, errno == EINTR {}
    let value = info._sifields._sigchld.si_status
    state.withLock { $0.status = info.si_code == Int32(CLD_EXITED) ? value : 128 + value }
    ended.signal()
  }

  /// The number of the process; 0 before it runs.
  public var processIdentifier: pid_t { state.withLock { $0.identifier } }

  /// Whether it has started and not ended.
  public var isRunning: Bool { state.withLock { $0.identifier != 0 && $0.status == nil } }

  /// Asks it to end, by SIGTERM.
  public func terminate() { signal(SIGTERM) }

  /// Sends it a signal, unless it has ended.
  public func signal(_ number: Int32) {
    state.withLock { state in
      if state.identifier != 0, state.status == nil { kill(state.identifier, number) }
    }
  }

  /// Waits for the end on the calling thread; may be called again.
  ///
  /// - Returns: the exit status, or 128 and the number of the signal.
  @discardableResult
  public func waitForEnd() -> Int32 {
    while true {
      if let status = state.withLock({ $0.status }) { return status }
      ended.wait()
      // For others that wait.
      ended.signal()
    }
  }
}
