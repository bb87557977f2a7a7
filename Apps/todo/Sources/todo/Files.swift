import CommandLineKit
import Glibc

/// Reading and writing of files named on the command line.
enum Files {
  /// Files larger than this are refused, in bytes.
  private static let limit = 256 << 20

  /// All bytes of a file; of standard input for `-`.
  static func read(_ name: String) throws -> [UInt8] {
    let file = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(name) }
    defer { if file != STDIN_FILENO { close(file) } }
    var content: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name) }
      guard count > 0 else { return content }
      content += bytes.prefix(count)
      guard content.count <= limit else {
        throw CommandFailure("'\(name)' is larger than 256 MiB", remedy: "split it")
      }
    }
  }

  private static func unreadable(_ name: String) -> CommandFailure {
    CommandFailure(
      "cannot read '\(name)': \(String(cString: strerror(errno)))", remedy: "check the name and its permissions")
  }

  /// Writes a text beside the file and puts it in its place, so that the file is old or new and never half.
  static func write(_ name: String, _ text: String) throws {
    let draft = name + ".\(getpid()).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw unwritable(name) }
    defer { unlink(draft) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = unwritable(name)
        close(file)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    guard close(file) == 0, rename(draft, name) == 0 else { throw unwritable(name) }
  }

  private static func unwritable(_ name: String) -> CommandFailure {
    CommandFailure(
      "cannot write '\(name)': \(String(cString: strerror(errno)))", remedy: "check the folder and its permissions")
  }
}
