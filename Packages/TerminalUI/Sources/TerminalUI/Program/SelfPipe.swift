import CNcurses
import Glibc

/// The self-pipe trick: one thread polls the read end, other threads and signal handlers write to the other to wake it.
public final class SelfPipe: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  /// A pipe with nobody waiting.
  ///
  /// - Throws: ``TerminalError`` when the process has no descriptors left.
  public init() throws {
    var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)
    guard terminal_pipe(&readEnd, &writeEnd) == 0 else { throw TerminalError.noDescriptors }
    self.readEnd = readEnd
    self.writeEnd = writeEnd
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Wakes the sleeper, now or when it next goes to sleep. Any thread.
  public func wake() { wake(with: 0) }

  /// The descriptor that signal handlers write to.
  var signalDescriptor: Int32 { writeEnd }
  /// The descriptor to sleep on.
  var descriptor: Int32 { readEnd }

  func wake(with byte: UInt8) {
    var byte = byte
    // A full pipe wakes as well as a fuller one would.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes what has been written: zeros, and numbers of signals.
  func drain() -> [UInt8] {
    var result: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(readEnd, &bytes, bytes.count)
      if count > 0 {
        result += bytes.prefix(count)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        return result
      }
    }
  }
}
