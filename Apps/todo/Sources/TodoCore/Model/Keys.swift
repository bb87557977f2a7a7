import Foundation

/// Makes the keys by which lists and items are known on every device.
public enum Keys {
  /// The key of a new item: 24 hexadecimal digits, the first eight of which are the time in seconds.
  public static func item(now: Date, using random: inout some RandomNumberGenerator) -> String {
    let seconds = UInt32(max(0, min(4_294_967_295, now.timeIntervalSince1970)))
    let number: UInt64 = random.next()
    return hex(UInt64(seconds), digits: 8) + hex(number, digits: 16)
  }

  /// The key of a new list. It follows from the name, so that two people who make a list of the same name
  /// while offline get one list; where the key is taken by a list of another name, a random part is added.
  public static func list(
    named name: String, on board: Board, using random: inout some RandomNumberGenerator
  ) -> String {
    let key = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "-")
    let short = String(key.prefix(80))
    guard board.list(short) != nil || short.isEmpty else { return short }
    let number: UInt64 = random.next()
    return short + "-" + hex(number, digits: 16)
  }

  /// A list name without line breaks, or spaces at its ends; at most 200 characters; nil if nothing is left.
  public static func listName(_ text: String) -> String? {
    let words = text.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
    let name = String(words.joined(separator: " ").prefix(200))
    return name.isEmpty ? nil : name
  }

  private static func hex(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
