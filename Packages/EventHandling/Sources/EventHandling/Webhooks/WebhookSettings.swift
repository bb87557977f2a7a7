public import Transport

/// The settings of one webhook.
public struct WebhookSettings: Sendable {
  /// Its name, and that of its positions: with another name it begins anew.
  public var name: String
  /// The address that messages go to.
  public var url: NetworkURL
  /// The realms.
  public var pattern: PathPattern
  /// The secret of the signatures; empty for messages without one.
  public var secret: String
  /// The time for one request.
  public var timeout: Duration

  /// The settings of a webhook.
  public init(
    name: String, url: NetworkURL, pattern: PathPattern, secret: String = "", timeout: Duration = .seconds(15)
  ) {
    self.name = name
    self.url = url
    self.pattern = pattern
    self.secret = secret
    self.timeout = timeout
  }
}
