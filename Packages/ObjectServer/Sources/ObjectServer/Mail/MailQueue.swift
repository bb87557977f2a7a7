import Foundation
import Telemetry

/// A message that is to be sent. It holds no secret: the link is made when the message is sent.
struct MailOrder: Codable, Hashable, Sendable {
  enum Kind: String, Codable, Sendable { case confirmation, reset }
  var ident: String
  var kind: Kind
  var app: String
  var address: String
  /// The registration that a confirmation is for, as ``PendingAccounts`` names it; nil for a reset.
  var registration: String?
  /// Milliseconds since 1970.
  var createdAt: Int64
  var attempts = 0
  var nextAttempt: Int64
}

/// The orders of a data directory, each in a file of the folder `mail`: they survive the death of the process. Pure but for its
/// folder; used on one queue.
struct MailQueue: Sendable {
  /// The most orders that wait.
  static let maximumOrders = 10_000
  /// The time after which an order is given up.
  static let patience: Duration = .seconds(3 * 86_400)

  let folder: String

  /// The delay after a number of attempts: 1 minute, doubled each time, up to 6 hours.
  static func delay(after attempts: Int) -> Duration { .seconds(min(6 * 3_600, 60 << min(max(0, attempts - 1), 10))) }

  /// Stores an order, so that it survives a power loss.
  ///
  /// - Throws: ``ServerError`` when the queue is full, or the folder cannot be written.
  func put(_ order: MailOrder) throws(ServerError) {
    try PrivateFolder.make(folder)
    guard names().count < Self.maximumOrders else {
      throw ServerError(.dataDirectoryUnusable, "too many messages wait to be sent", remedy: "check the mail server")
    }
    try write(order)
  }

  private func write(_ order: MailOrder) throws(ServerError) {
    // The members are texts and numbers, which always encode.
    let data = (try? JSONEncoder().encode(order)) ?? Data()
    try SecretFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path(order.ident))
  }

  /// The orders, the one that is due first at the beginning. Files that are none are passed over.
  func orders() -> [MailOrder] {
    names().compactMap { name in
      FileManager.default.contents(atPath: folder + "/" + name).flatMap {
        try? JSONDecoder().decode(MailOrder.self, from: $0)
      }
    }.sorted { ($0.nextAttempt, $0.ident) < ($1.nextAttempt, $1.ident) }
  }

  func remove(_ order: MailOrder) { try? FileManager.default.removeItem(atPath: path(order.ident)) }

  /// Puts an order off after a failed attempt; removes it when its patience ends.
  ///
  /// - Returns: whether it stays.
  /// - Throws: ``ServerError`` when the folder cannot be written.
  func putOff(_ order: MailOrder, at now: WallTime) throws(ServerError) -> Bool {
    var order = order
    order.attempts += 1
    let next = now + Self.delay(after: order.attempts)
    guard next <= WallTime(millisecondsSince1970: order.createdAt) + Self.patience else {
      remove(order)
      return false
    }
    order.nextAttempt = next.millisecondsSince1970
    try write(order)
    return true
  }

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".order") }
  }

  private func path(_ ident: String) -> String { folder + "/" + ident + ".order" }
}
