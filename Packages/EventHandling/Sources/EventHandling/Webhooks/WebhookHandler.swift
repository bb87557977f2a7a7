/// A handler that sends each transaction to a URL; one that is never accepted is kept as a dead letter.
public struct WebhookHandler: NotificationHandler {
  /// The name of the webhook, and of its positions.
  public let name: String
  /// The realms.
  public let pattern: PathPattern
  private let sender: WebhookSender
  private let deadLetters: DeadLetters

  /// A webhook.
  ///
  /// - Parameter deadLetters: the folder of messages that were not accepted.
  public init(name: String, pattern: PathPattern, sender: WebhookSender, deadLetters: DeadLetters) {
    self.name = name
    self.pattern = pattern
    self.sender = sender
    self.deadLetters = deadLetters
  }

  /// False: a message has the values of the changed objects.
  public var needsRealms: Bool { false }

  /// Whether the path matches.
  public func shouldHandle(path: String) -> Bool { pattern.matches(path) }

  /// Sends the transaction.
  ///
  /// - Throws: ``EventError`` with code `notAccepted`.
  public func handleChange(_ details: ChangeDetails) async throws {
    try await sender.send(WebhookMessage.body(details), id: details.id.description)
  }

  /// Keeps the message as a dead letter.
  ///
  /// - Returns: true.
  /// - Throws: ``EventError`` when it cannot be kept: the realm is then quarantined, and nothing is lost.
  public func giveUp(_ details: ChangeDetails, after error: any Error) async throws -> Bool {
    try deadLetters.keep(
      WebhookMessage.body(details), of: name, event: details.id.description, reason: "\(error)")
    return true
  }
}
