import ByteCoding
import Cryptography
import Permissions

/// Where a realm's file lies below the folder of realms.
///
///     /ann/todo      named/ann.d/todo.realm
///     "team a"       partitions/s_team%20a.realm
///
/// Folders end in `.d` and files in `.realm`, so that no realm's name can collide with another's folder or side files.
enum RealmFileName {
  /// Longer partition values are hashed.
  static let longestPartition = 150

  static func relativePath(of path: RealmPath) -> String {
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
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
