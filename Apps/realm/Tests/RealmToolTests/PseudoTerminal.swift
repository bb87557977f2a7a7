import Foundation
import TestKit
import Testing

/// A program of this build on a terminal of its own.
final class PseudoTerminal {
  private let process = ChildProcess()
  private let master: FileHandle
  /// Everything that the program wrote to the terminal, escape sequences included.
  private(set) var text = ""

  init(_ program: String, _ words: [String], in folder: String) throws {
    // Linux: opening ptmx makes a pair; the numbers are TIOCSPTLCK and TIOCGPTN, macros that are not imported.
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, UInt32) = (0, 0)
    #expect(ioctl(descriptor, 0x4004_5431, &lock) == 0)
    #expect(ioctl(descriptor, 0x8004_5430, &number) == 0)
    let slave = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)"))
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    process.executableURL = ToolProcess.executable(program)
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["HOME": folder, "TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    process.standardInput = slave
    process.standardOutput = slave
    process.standardError = slave
    try process.run()
    try slave.close()
  }

  /// Reads until the terminal has shown a text; false when the program ended before.
  func waitFor(_ expected: String) -> Bool {
    while !text.contains(expected) {
      let data = master.availableData
      guard !data.isEmpty else { return false }
      text += String(decoding: data, as: UTF8.self)
    }
    return true
  }

  func type(_ keys: String) { master.write(Data(keys.utf8)) }

  /// Waits for the end of the program.
  ///
  /// - Returns: its exit code.
  func finish() -> Int32 {
    process.waitForEnd()
  }
}
