/// A secret that cannot be printed by accident.
///
/// Every textual form, `dump` and reflection included, shows `<redacted>`. Only ``unredacted`` gives the value out.
///
///     let token = Redacted("eyJhbGciOi…")
///     print("token: \(token)")  // token: <redacted>
public struct Redacted<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The secret itself. Do not log it.
  public var unredacted: Value

  /// Wraps a secret.
  public init(_ value: Value) { unredacted = value }

  /// `<redacted>`.
  public var description: String { "<redacted>" }
  /// `<redacted>`.
  public var debugDescription: String { "<redacted>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}
