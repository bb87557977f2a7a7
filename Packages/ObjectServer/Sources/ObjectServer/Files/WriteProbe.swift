import Foundation
import Synchronization
public import Telemetry

/// Finds out whether the server can write, for `/health/ready`: by a file of 64 KiB that is written, synced and removed.
///
/// Asked more often than every five seconds it gives its last answer, so that whoever asks costs nothing. Any thread may
/// ask; it blocks while the disk works, so it is asked on the executor.
public final class WriteProbe: Sendable {
  private struct State {
    var asked: MonotonicInstant?
    var failure: String?
  }

  private let state = Mutex(State())
  private let interval: Duration
  private let clock: any MonotonicClock
  private let write: @Sendable () throws -> Void

  /// A probe that writes as `write` does, which throws when that fails.
  public init(
    every interval: Duration = .seconds(5), clock: any MonotonicClock = SystemMonotonicClock(),
    write: @escaping @Sendable () throws -> Void
  ) {
    self.interval = interval
    self.clock = clock
    self.write = write
  }

  /// A probe of a folder.
  public convenience init(folder: String) {
    self.init { try Self.writeFile(folder + "/probe-" + String(UInt64.random(in: .min ... .max), radix: 36)) }
  }

  /// Why nothing can be written; nil when all is well.
  public func failure() -> String? {
    state.withLock { state in
      let now = clock.now
      if let asked = state.asked, now - asked < interval { return state.failure }
      state.asked = now
      do {
        try write()
        state.failure = nil
      } catch {
        state.failure = "\(error)"
      }
      return state.failure
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description = String(cString: strerror(errno))
  }

  private static func writeFile(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure() }
    defer {
      unlink(path)
      close(file)
    }
    // Not zeros, which some file systems give no room.
    let bytes = (0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      // A write that was cut short says why when it is tried again.
      guard Glibc.write(file, bytes, bytes.count) < 0 else { return }
      throw Failure()
    }
    guard fsync(file) == 0 else { throw Failure() }
  }
}
