import Foundation

/// Values as arguments of a predicate.
enum PredicateArgument {
  static var null: Any { NSNull() }

  /// The argument that a value becomes: out of its optional, and an enumeration as its raw value.
  static func standing(for any: Any?) -> Any {
    guard var any else { return null }
    if let optional = any as? any AnyOptional {
      guard let unwrapped = optional.unwrapped else { return null }
      any = unwrapped
    }
    if let literal = any as? any _QueryLiteral { return literal._queryLiteral ?? null }
    if !(any is NSNumber), let raw = (any as? any RawRepresentable)?.rawValue { return raw }
    return any
  }
}
