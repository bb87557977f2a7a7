import Foundation
import TextWidth

/// Keys of rooms, pages and messages, and the texts that people may give them.
public enum Keys {
  /// The longest message, in characters.
  public static let bodyLimit = 8_000
  /// The longest name of a room or person, in characters.
  public static let nameLimit = 60

  /// A key that nobody can guess: 32 hexadecimal digits.
  public static func random(using random: inout some RandomNumberGenerator) -> String {
    (0..<2).map { _ in
      let number: UInt64 = random.next()
      let text = String(number, radix: 16)
      return String(repeating: "0", count: max(0, 16 - text.count)) + text
    }.joined()
  }

  /// The key of the public room with a name. Two people who make it while apart make one room.
  public static func publicRoom(named name: String) -> String { "#" + name }

  /// The name of the public room with a key; nil for private rooms.
  public static func publicName(of key: String) -> String? { key.first == "#" ? String(key.dropFirst()) : nil }

  /// A name on one line without spaces at its ends, cut at ``nameLimit``; nil if nothing is left. A `#` that people type
  /// before the name of a room does not belong to it.
  public static func name(_ text: String) -> String? {
    let words = text.split { $0.isWhitespace || $0.isNewline }
    let name = words.joined(separator: " ").drop { $0 == "#" }
    let short = name.prefix(nameLimit).trimmingCharacters(in: .whitespaces)
    return short.isEmpty ? nil : short
  }

  /// The text of a message without empty lines at its ends; nil if nothing is left.
  public static func body(_ text: String) -> String? {
    let body = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return body.isEmpty ? nil : body
  }

  /// A reaction: one visible character that takes two columns at most; nil for other text.
  public static func reaction(_ text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.count == 1, text.utf8.count <= 64, let character = text.first,
      !character.isWhitespace, character.displayWidth > 0
    else { return nil }
    return text
  }
}
