import CommandLineKit
import Foundation

/// The text of a message on standard input.
enum StandardInput {
  /// Longer input is refused, in bytes.
  private static let limit = 1 << 20

  /// All bytes.
  ///
  /// - Throws: `CommandFailure` when it cannot be read, or is too long.
  static func read() throws -> [UInt8] {
    var content: [UInt8] = []
    while let bytes = try reading(), !bytes.isEmpty {
      content += bytes
      guard content.count <= limit else {
        throw CommandFailure("the message is larger than 1 MiB", remedy: "send it in parts")
      }
    }
    return content
  }

  private static func reading() throws -> Data? {
    do {
      return try FileHandle.standardInput.read(upToCount: 1 << 16)
    } catch {
      throw CommandFailure("cannot read standard input", cause: error)
    }
  }
}
