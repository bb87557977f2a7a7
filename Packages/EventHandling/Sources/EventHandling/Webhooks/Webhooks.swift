public import ObjectServer
import Synchronization
public import Telemetry
public import Transport

/// The webhooks of a server: each sends the transactions of its realms to a URL.
///
///     let webhooks = Webhooks(settings, folder: data + "/events", network: environment.network)
///     environment.webhooks = webhooks
///     let server = ObjectServer(configuration: configuration, environment: environment)
///     …
///     try await webhooks.start(on: server)
///     …
///     await webhooks.stop()                // before the server stops
///
/// Safe to use from any thread.
public final class Webhooks: WebhookAdministration {
  private let settings: [WebhookSettings]
  private let configuration: NotifierConfiguration
  private let senders: [String: WebhookSender]
  private let letters: DeadLetters
  private let logger: Logger
  private let metrics: MetricsRegistry
  private let notifier = Mutex<Notifier?>(nil)

  /// Webhooks that do nothing yet.
  ///
  /// - Parameters:
  ///   - folder: of their own: the names that are known, and the dead letters.
  ///   - configure: changes the settings of the deliveries, such as the number of calls before a message is a dead letter.
  public init(
    _ settings: [WebhookSettings], folder: String, network: any Network, logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry(), clock: any WallClock = SystemWallClock(),
    configure: (inout NotifierConfiguration) -> Void = { _ in }
  ) {
    self.settings = settings
    self.logger = logger
    self.metrics = metrics
    let letters = DeadLetters(folder: folder + "/dead-letters")
    self.letters = letters
    let senders = Dictionary(
      settings.map {
        ($0.name, WebhookSender($0.url, secret: $0.secret, timeout: $0.timeout, network: network, clock: clock))
      }, uniquingKeysWith: { first, _ in first })
    self.senders = senders
    var configuration = NotifierConfiguration(
      workingDirectory: folder,
      handlers: settings.compactMap { webhook in
        senders[webhook.name].map {
          WebhookHandler(name: webhook.name, pattern: webhook.pattern, sender: $0, deadLetters: letters)
        }
      })
    configure(&configuration)
    self.configuration = configuration
  }

  /// Begins to send.
  ///
  /// - Throws: ``EventError`` for two webhooks of one name or a name that is too long, and when the folder cannot be used.
  public func start(on server: ObjectServer) async throws {
    let new = Notifier(server, configuration, logger: logger, metrics: metrics)
    try await new.start()
    notifier.withLock { $0 = new }
  }

  /// Ends; returns when no message is on its way.
  public func stop() async {
    let running = notifier.withLock { notifier in
      defer { notifier = nil }
      return notifier
    }
    await running?.stop()
  }

  // MARK: Administration

  /// Every webhook, by name.
  ///
  /// - Throws: ``EventError`` when the dead letters cannot be read.
  public func webhooks() throws -> [WebhookOverview] {
    let all = try letters.all()
    return settings.map { webhook in
      WebhookOverview(
        name: webhook.name, url: "\(webhook.url)", pattern: webhook.pattern.description,
        deadLetters: all.count { $0.webhook == webhook.name })
    }.sorted { $0.name < $1.name }
  }

  /// The messages that were never accepted, by id.
  ///
  /// - Throws: ``EventError`` when they cannot be read.
  public func deadLetters() throws -> [DeadLetter] { try letters.all() }

  /// Sends a letter again, and removes it when it is accepted.
  public func sendAgain(_ id: String, _ completion: @escaping @Sendable (DeadLetterOutcome?) -> Void) {
    Task {
      do {
        guard let (letter, body) = try letters.message(id) else { return completion(nil) }
        guard let sender = senders[letter.webhook] else {
          return completion(.refused("there is no webhook \(letter.webhook) any more"))
        }
        do { try await sender.send(body, id: letter.event) } catch {
          try letters.keep(body, of: letter.webhook, event: letter.event, reason: "\(error)")
          return completion(.refused("\(error)"))
        }
        try letters.remove(id)
        completion(.accepted)
      } catch {
        completion(.refused("\(error)"))
      }
    }
  }

  /// Removes a letter, for good.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``EventError`` when the file cannot be removed.
  public func removeDeadLetter(_ id: String) throws -> Bool { try letters.remove(id) }
}
