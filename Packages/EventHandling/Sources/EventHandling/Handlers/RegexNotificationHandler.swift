import Foundation
public import ObjectStore

/// A handler of the realms whose paths match a regular expression; subclasses say what it does.
///
///     final class CouponHandler: RegexNotificationHandler, @unchecked Sendable {
///       init() throws { try super.init(name: "coupons", pattern: "^/.*/private$") }
///       override func handleChange(_ details: ChangeDetails) async throws { … }
///     }
open class RegexNotificationHandler: NotificationHandler, @unchecked Sendable {
  /// The name of the handler's positions.
  public let name: String
  /// The regular expression.
  public let pattern: PathPattern

  /// A handler of the realms that match a pattern.
  ///
  /// - Throws: ``EventError`` with code `badPattern` for a text that is no regular expression.
  public init(name: String, pattern: String) throws {
    self.name = name
    self.pattern = try PathPattern(pattern)
  }

  /// Whether realms before and after are given; subclasses may override it.
  open var needsRealms: Bool { true }
  /// The model classes of the realms; subclasses may override it.
  open var objectTypes: [ObjectBase.Type] { [] }

  /// Whether the path matches.
  open func shouldHandle(path: String) -> Bool { pattern.matches(path) }

  /// Does nothing; subclasses override it.
  ///
  /// - Throws: what subclasses throw; the call is then made again.
  open func handleChange(_ details: ChangeDetails) async throws {}

  /// False: the realm is quarantined; subclasses may override it.
  ///
  /// - Throws: what subclasses throw; the realm is then quarantined.
  open func giveUp(_ details: ChangeDetails, after error: any Error) async throws -> Bool { false }
}

/// A regular expression over realm paths, found anywhere in the path unless it has anchors.
///
///     try PathPattern("^/([^/]+)/private$").matches("/ann/private")      // true
public struct PathPattern: Sendable, CustomStringConvertible {
  /// The text of the expression.
  public let description: String
  private let expression: NSRegularExpression

  /// A pattern.
  ///
  /// - Throws: ``EventError`` with code `badPattern` for a text that is no regular expression.
  public init(_ text: String) throws {
    do { expression = try NSRegularExpression(pattern: text) } catch {
      throw EventError(
        .badPattern, "'\(text)' is no regular expression", remedy: "write it such as ^/([^/]+)/private$", cause: error)
    }
    description = text
  }

  /// Whether the pattern is found in a path.
  public func matches(_ path: String) -> Bool {
    expression.firstMatch(in: path, range: NSRange(path.startIndex..., in: path)) != nil
  }
}
