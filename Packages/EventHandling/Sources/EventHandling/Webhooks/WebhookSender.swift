import ByteCoding
import Cryptography
public import Telemetry
public import Transport

/// Sends the messages of webhooks, signed.
///
/// The receiver computes HMAC-SHA-256 over the timestamp, a point and the body under the common secret, compares it with
/// `X-OpenRealm-Signature`, and refuses timestamps that are older than some minutes.
public struct WebhookSender: Sendable {
  private let network: any Network
  private let url: NetworkURL
  private let secret: String
  private let timeout: Duration
  private let clock: any WallClock

  /// A sender to an address.
  ///
  /// - Parameters:
  ///   - secret: the secret that both sides know; empty for messages without a signature.
  ///   - timeout: the time for a whole request.
  public init(
    _ url: NetworkURL, secret: String, timeout: Duration = .seconds(15), network: any Network,
    clock: any WallClock = SystemWallClock()
  ) {
    self.url = url
    self.secret = secret
    self.timeout = timeout
    self.network = network
    self.clock = clock
  }

  /// Sends one message.
  ///
  /// - Parameter id: names the message; a receiver knows a repetition by it.
  /// - Throws: ``EventError`` with code `notAccepted` for any answer but 2xx, and when there is none.
  public func send(_ body: [UInt8], id: String) async throws {
    let seconds = clock.wallTime.millisecondsSince1970 / 1_000
    var headers: HTTPHeaders = [
      "Content-Type": "application/json", "X-OpenRealm-Event": id, "X-OpenRealm-Timestamp": String(seconds),
    ]
    if !secret.isEmpty { headers["X-OpenRealm-Signature"] = try Self.signature(body, at: seconds, secret: secret) }
    let response: HTTPResponse
    do {
      response = try await network.response(
        to: HTTPClientRequest(
          method: "POST", url: url, headers: headers, body: body, timeout: timeout, maximumResponseBytes: 1 << 16))
    } catch let error as TransportError {
      throw EventError(
        .notAccepted, "\(url) cannot be reached", remedy: "check the address and its receiver", cause: error)
    }
    guard (200..<300).contains(response.status) else {
      throw EventError(
        .notAccepted, "\(url) answered with status \(response.status)", remedy: "see the log of the receiver")
    }
  }

  /// The signature of a message: `sha256=` and 64 hexadecimal digits.
  ///
  /// - Throws: `CryptographyError` when OpenSSL cannot compute it.
  public static func signature(_ body: [UInt8], at seconds: Int64, secret: String) throws -> String {
    let text = Array("\(seconds).".utf8) + body
    return "sha256=" + hexText(try HMACSHA256.tag(for: text, key: Array(secret.utf8)))
  }
}
