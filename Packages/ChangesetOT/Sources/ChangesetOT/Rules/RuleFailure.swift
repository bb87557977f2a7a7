/// A conflict that honest authors cannot make: the transform throws it as ``TransformError``.
struct RuleFailure: Error {
  var reason: TransformError.Reason
  var message: String

  static func schema(_ message: String) -> RuleFailure { RuleFailure(reason: .schemaMismatch, message: message) }
  static func list(_ message: String) -> RuleFailure { RuleFailure(reason: .inconsistentList, message: message) }
  static func path(_ message: String) -> RuleFailure { RuleFailure(reason: .inconsistentPath, message: message) }
}
