import DataModel
import EventHandling
import ObjectStore
import RecordStore

/// Checks every new coupon of every user's wallet, and counts those of each wallet.
final class CouponHandler: RegexNotificationHandler, @unchecked Sendable {
  private let codes: Set<String>

  /// A handler that knows some codes.
  init(codes: Set<String>) throws {
    self.codes = codes
    try super.init(name: "coupons", pattern: "^/[^/]+/wallet$")
  }

  override func handleChange(_ details: ChangeDetails) async throws {
    let checked = (details.changes["Coupon"]?.insertions ?? []).map { coupon in
      (coupon.reference, isValid(coupon.currentObject?["code"] as? String ?? "") ? "valid" : "unknown")
    }
    guard !checked.isEmpty else { return }
    // One call for all effects: it stores the position, too.
    try await details.write { realm in
      for (coupon, status) in checked { realm.dynamicObject(coupon)?["status"] = status }
      try Self.count(checked.count, in: realm)
    }
  }

  /// Whether the part of a code before its number is known.
  private func isValid(_ code: String) -> Bool { codes.contains(String(code.prefix { $0 != "-" })) }

  private static let counter = ObjectReference(className: "CouponCount", key: .int(0))
  private static let schema = Schema([
    ObjectSchema(
      className: "CouponCount", primaryKey: "id",
      properties: [Property(name: "id", type: .int), Property(name: "count", type: .int)])
  ])

  private static func count(_ coupons: Int, in realm: Realm) throws {
    try realm.editor.addClasses(schema)
    try realm.editor.create(counter)
    guard case .value(.int(let known))? = try realm.editor.object(counter)?["count"] else { return }
    try realm.editor.set(["count": .value(.int(known + Int64(coupons)))], of: counter)
  }
}
