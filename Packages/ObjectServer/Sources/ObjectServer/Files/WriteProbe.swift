import Foundation
import Synchronization
public import Telemetry

/// Tests whether the disk can be written, for `/health/ready`: writes, syncs and removes a file of 64 KiB.
///
/// Within five seconds the last answer is repeated, so requests cannot cause load. Blocks; from any thread but the loop.
public final class WriteProbe: Sendable {
  private struct State {
    var asked: MonotonicInstant?
    var failure: String?
  }

  private let state = Mutex(State())
  private let interval: Duration
  private let clock: any MonotonicClock
  private let write: @Sendable () throws -> Void

  /// A probe that calls `write`, which throws when the disk cannot be written.
  public init(
    every interval: Duration = .seconds(5), clock: any MonotonicClock = SystemMonotonicClock(),
    write: @escaping @Sendable () throws -> Void
  ) {
    self.interval = interval
    self.clock = clock
    self.write = write
  }

  /// A probe that writes into a folder.
  public convenience init(folder: String) {
    self.init { try Self.writeFile(folder + "/probe-" + String(UInt64.random(in: .min ... .max), radix: 36)) }
  }

  /// The reason why the disk cannot be written; nil when it can.
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
