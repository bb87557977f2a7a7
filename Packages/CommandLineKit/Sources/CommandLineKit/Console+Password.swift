import Glibc

extension Console {
  /// Asks for a secret on the terminal without showing it. Without a terminal, reads one line of standard input.
  ///
  /// The question goes to standard error, so that standard output stays clean. Backspace and Ctrl-U edit.
  /// The terminal is as before when this returns or throws.
  ///
  /// - Throws: ``CommandFailure`` when the user presses Ctrl-C or Ctrl-D, the input ends, or it is not UTF-8.
  public func readPassword(_ question: ConsoleText) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      guard let line = readLine() else { throw Self.noPassword }
      return line
    }
    ask(question)
    defer { note("") }
    var saved = termios()
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else { throw Self.noPassword }
    var silent = saved
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { throw Self.noPassword }
    defer { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) }
    var typed: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { throw Self.noPassword }
      switch byte {
      case 0x0A, 0x0D:
        guard let text = String(validating: typed, as: UTF8.self) else {
          throw CommandFailure("the password is not valid UTF-8")
        }
        return text
      case 0x03, 0x04: throw CommandFailure("cancelled")
      case 0x08, 0x7F:
        while let last = typed.popLast(), last & 0xC0 == 0x80 {}
      case 0x15: typed = []
      default: typed.append(byte)
      }
    }
  }

  private static var noPassword: CommandFailure {
    CommandFailure(
      "no password was given", remedy: "type it on a terminal, or pass it as a line of standard input")
  }
}
