import Foundation

/// Converts values of applications to arguments of a predicate.
enum PredicateArgument {
  /// The argument for nil.
  static var null: Any { NSNull() }

  /// The argument for a value: unwrapped from its optional, and an enumeration as its raw value.
  static func plain(_ any: Any?) -> Any {
    guard var any else { return null }
    if let optional = any as? any AnyOptional {
      guard let unwrapped = optional.unwrapped else { return null }
      any = unwrapped
    }
    if let literal = any as? any _QueryLiteral { return literal._queryLiteral ?? null }
    if !(type(of: any) is NSNumber.Type), let raw = (any as? any RawRepresentable)?.rawValue { return raw }
    return any
  }
}
