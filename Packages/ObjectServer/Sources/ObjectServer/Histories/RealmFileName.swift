import ByteCoding
import Cryptography
import Foundation
import Permissions

/// The path of a realm's file below the folder of realms.
///
///     /ann/todo      named/ann.d/todo.realm
///     "team a"       partitions/s_team%20a.realm
///
/// A name longer than ``longestPath`` is hashed, as SQLite opens no file whose whole path has more than about 500 bytes. A file
/// with such a name of an earlier release is still found under it.
///
/// Folders end in `.d` and files in `.realm`, so that no realm's name can collide with another's folder or side files.
enum RealmFileName {
  /// Longer partition values are hashed.
  static let longestPartition = 150

  /// The longest path below the folder of realms, in bytes.
  static let longestPath = 240

  static func relativePath(of path: RealmPath) -> String {
    let plain = plainPath(of: path)
    guard plain.utf8.count > longestPath else { return plain }
    return "long/" + hexText(Digest.sha256.hash(Array(plain.utf8))) + ".realm"
  }

  /// Every path that the realm's file may have, the one of new files first.
  static func possiblePaths(of path: RealmPath) -> [String] {
    let plain = plainPath(of: path)
    return plain.utf8.count > longestPath ? [relativePath(of: path), plain] : [plain]
  }

  /// The path of the realm's file below `folder`; of a file that does not exist yet, the path of new files.
  static func relativePath(of path: RealmPath, in folder: String) -> String {
    let possible = possiblePaths(of: path)
    return possible.first { possible.count > 1 && FileManager.default.fileExists(atPath: folder + "/" + $0) }
      ?? possible[0]
  }

  private static func plainPath(of path: RealmPath) -> String {
    switch path.kind {
    case .named(let segments):
      let folders = segments.dropLast().map { $0 + ".d/" }.joined()
      return "named/" + folders + (segments.last ?? "") + ".realm"
    case .partition(let value): return "partitions/" + name(of: value) + ".realm"
    }
  }

  private static func name(of value: PartitionValue) -> String {
    switch value {
    case .null: "null"
    case .string(let text): shortened("s_", escaped(text))
    case .int(let number): "i_\(number)"
    case .long(let number): "l_\(number)"
    case .objectId(let digits): "o_\(digits)"
    case .uuid(let digits): "u_\(digits)"
    }
  }

  private static func shortened(_ prefix: String, _ text: String) -> String {
    guard text.utf8.count > longestPartition else { return prefix + text }
    return "h" + prefix + hexText(Digest.sha256.hash(Array(text.utf8)))
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if Self.isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    case _: false
    }
  }
}
