public import ObjectStore

/// Code that runs after transactions on the server's realms.
///
///     struct CouponHandler: NotificationHandler {
///       let name = "coupons"
///       func shouldHandle(path: String) -> Bool { path.hasSuffix("/private") }
///       func handleChange(_ details: ChangeDetails) async throws {
///         for coupon in details.changes["Coupon"]?.insertions ?? [] { … }
///       }
///     }
///
/// A ``Notifier`` calls it once for each transaction of each realm that it handles: in order within a realm, side by side for
/// several. A call that throws, or whose process ends, is made again with the same transaction; none is passed over. Effects
/// should therefore be harmless when repeated, be told apart by ``ChangeDetails/id``, or be made with
/// ``ChangeDetails/write(_:)``, which makes them exactly once.
public protocol NotificationHandler: Sendable {
  /// The name of the handler's positions in the realms: with another name it begins anew. At most 100 bytes.
  var name: String { get }
  /// Whether the handler is called before and after states as realms. Without them its calls cost no copy of the realm; the
  /// changes then have keys and no objects. True unless the handler says otherwise.
  var needsRealms: Bool { get }
  /// The model classes of the realms that the handler is given. Other classes of a realm are reached as dynamic objects.
  var objectTypes: [ObjectBase.Type] { get }

  /// Whether the realm at a path is handled. Always the same for one path, and quick: it is asked again whenever a realm is
  /// opened or has transactions, in part on the server's loop.
  ///
  /// - Parameter path: the path on the server, such as `/ann/private`.
  func shouldHandle(path: String) -> Bool

  /// Handles one transaction.
  ///
  /// - Throws: anything; the call is then made again after a while, and after ``NotifierConfiguration/numberOfRetries`` failures
  ///   the realm is quarantined for this handler.
  func handleChange(_ details: ChangeDetails) async throws

  /// Says what becomes of a transaction on which the handler has failed for good.
  ///
  /// - Returns: whether it counts as handled, as it is kept elsewhere; otherwise the realm is quarantined for this handler.
  /// - Throws: anything; the realm is then quarantined.
  func giveUp(_ details: ChangeDetails, after error: any Error) async throws -> Bool
}

extension NotificationHandler {
  /// True.
  public var needsRealms: Bool { true }
  /// None: all objects are dynamic.
  public var objectTypes: [ObjectBase.Type] { [] }
  /// False: the realm is quarantined.
  ///
  /// - Throws: never.
  public func giveUp(_ details: ChangeDetails, after error: any Error) async throws -> Bool { false }
}
