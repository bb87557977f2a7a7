import Glibc
import Synchronization

/// A sink that writes one line per entry to a file descriptor: standard error, a pipe, an open file.
///
/// A line is written by one `write` call where the kernel takes it whole, so lines of several processes do not mix.
/// Write errors are ignored. The descriptor is not closed.
public final class FileDescriptorSink: LogSink {
  private let descriptor: Mutex<Int32>
  private let format: LogFormat

  /// A sink over an open descriptor, which stays the caller's to close.
  public init(descriptor: Int32, format: LogFormat = .text) {
    self.descriptor = Mutex(descriptor)
    self.format = format
  }

  /// A sink over standard error.
  public static func standardError(format: LogFormat = .text) -> FileDescriptorSink {
    FileDescriptorSink(descriptor: STDERR_FILENO, format: format)
  }

  /// Writes the entry as one line. Blocks while the descriptor does.
  public func write(_ entry: LogEntry) {
    var line = Array(format.line(for: entry).utf8)
    line.append(UInt8(ascii: "\n"))
    descriptor.withLock { descriptor in
      line.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let written = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
          if written > 0 {
            offset += written
          } else if written < 0 && errno == EINTR {
            continue
          } else {
            return
          }
        }
      }
    }
  }
}
