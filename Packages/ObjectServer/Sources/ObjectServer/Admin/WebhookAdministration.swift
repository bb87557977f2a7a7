/// The webhooks of a server as its administrators act on them. The program that runs them gives it to the server's environment.
///
/// All methods may be called from any thread; those without a completion block.
public protocol WebhookAdministration: Sendable {
  /// Every webhook, by name.
  ///
  /// - Throws: an error with a description when the dead letters cannot be read.
  func webhooks() throws -> [WebhookOverview]
  /// The messages that were never accepted, by id.
  ///
  /// - Throws: an error with a description when they cannot be read.
  func deadLetters() throws -> [DeadLetter]
  /// Sends one of them again, and removes it when it is accepted.
  ///
  /// - Parameter completion: called once, from any thread; with nil when there is no such letter.
  func sendAgain(_ id: String, _ completion: @escaping @Sendable (DeadLetterOutcome?) -> Void)
  /// Removes one of them, for good.
  ///
  /// - Returns: whether there was one.
  /// - Throws: an error with a description when the file cannot be removed.
  func removeDeadLetter(_ id: String) throws -> Bool
}

/// One webhook as administrators see it.
public struct WebhookOverview: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The address that messages go to.
  public var url: String
  /// The pattern of the realms.
  public var pattern: String
  /// The messages that were never accepted.
  public var deadLetters: Int

  /// An overview.
  public init(name: String, url: String, pattern: String, deadLetters: Int) {
    self.name = name
    self.url = url
    self.pattern = pattern
    self.deadLetters = deadLetters
  }
}

/// A message that was never accepted, without its body.
public struct DeadLetter: Codable, Hashable, Sendable {
  /// Its name among all letters.
  public var id: String
  /// The name of the webhook.
  public var webhook: String
  /// Names the transaction.
  public var event: String
  /// The last failure in words.
  public var reason: String
  /// The size of the message.
  public var bytes: Int

  /// A letter.
  public init(id: String, webhook: String, event: String, reason: String, bytes: Int) {
    self.id = id
    self.webhook = webhook
    self.event = event
    self.reason = reason
    self.bytes = bytes
  }
}

/// The outcome of sending a dead letter again.
public enum DeadLetterOutcome: Hashable, Sendable {
  /// The receiver accepted it.
  case accepted
  /// It did not, for this reason.
  case refused(String)
}
