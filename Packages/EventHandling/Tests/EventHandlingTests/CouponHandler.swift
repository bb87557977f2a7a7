import EventHandling
import ObjectStore

/// Checks every new coupon of every user: the device hears of the result like of any other change.
final class CouponHandler: RegexNotificationHandler, @unchecked Sendable {
  private let codes: Set<String> = ["WELCOME", "SPRING"]

  init() throws { try super.init(name: "coupons", pattern: "^/[^/]+/wallet$") }

  override func handleChange(_ details: ChangeDetails) async throws {
    let coupons = details.changes["Coupon"]?.insertions ?? []
    let checked = coupons.map { coupon in
      (coupon.reference, codes.contains(coupon.currentObject?["code"] as? String ?? "") ? "valid" : "unknown")
    }
    guard !checked.isEmpty else { return }
    // One call for all of them: it stores the handler's position, too
    try await details.write { realm in
      for (coupon, status) in checked { realm.dynamicObject(coupon)?["status"] = status }
    }
  }
}
