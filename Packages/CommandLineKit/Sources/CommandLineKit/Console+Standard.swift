import Glibc

extension Console {
  /// The console of this process.
  ///
  /// Colour is used only on a terminal, and not when `NO_COLOR` is set or `TERM` is `dumb`.
  public static func standard(environment: [String: String] = Environment.current) -> Console {
    let allowsColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    let errorsAreOnTerminal = isatty(STDERR_FILENO) == 1
    return Console(
      output: { write($0, to: STDOUT_FILENO) },
      errors: { write($0, to: STDERR_FILENO) },
      columns: outputIsTerminal ? terminalColumns(STDOUT_FILENO) : nil,
      hasColour: allowsColour && outputIsTerminal,
      errorsHaveColour: allowsColour && errorsAreOnTerminal,
      errorColumns: errorsAreOnTerminal && environment["TERM"] != "dumb" ? terminalColumns(STDERR_FILENO) : nil)
  }

  private static func terminalColumns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes all of a text; what a closed pipe does not take is dropped.
  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        if count > 0 {
          written += count
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}

/// The environment variables of this process.
public enum Environment {
  /// All of them, read now.
  public static var current: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return result
  }
}
