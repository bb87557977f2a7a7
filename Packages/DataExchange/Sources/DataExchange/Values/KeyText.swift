public import DataModel
import Foundation

/// The text of an object's key, and back for a class whose type of keys is known.
public enum KeyText {
  /// The text of a key; nil for the null key.
  public static func text(_ key: ObjectKey) -> String? {
    switch key {
    case .null: nil
    case .global(let key): "\(key.high)-\(key.low)"
    case .int, .string, .objectId, .uuid: key.value.flatMap { ScalarText.text($0) }
    }
  }

  /// The key that a text denotes in a class.
  public static func key(_ text: String, of object: ObjectSchema) -> ObjectKey? {
    if let property = object.primaryKeyProperty {
      return ScalarText.value(text, property.type).flatMap { ObjectKey($0) }
    }
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard object.kind != .embedded, halves.count == 2, let high = UInt64(halves[0]), let low = UInt64(halves[1])
    else { return nil }
    return .global(GlobalKey(high: high, low: low))
  }

  /// The look of a key of a class, for messages.
  public static func expectation(_ object: ObjectSchema) -> String {
    object.primaryKeyProperty.map { ScalarText.expectation($0.type) } ?? "a key such as 0-7"
  }
}
