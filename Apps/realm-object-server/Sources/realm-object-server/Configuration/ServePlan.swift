import CommandLineKit
import Cryptography
import EventHandling
import Foundation
import ObjectServer
import Permissions
import SMTPMail
import Studio
import Telemetry
import Transport
import TransportReal

/// Everything that serving needs, made from settings and checked.
struct ServePlan: Sendable {
  let settings: Settings
  let data: String
  /// The storage of a cluster; nil for a server that is alone.
  let shared: (any SharedStorage)?
  let configuration: ServerConfiguration
  let foreignKeys: [VerificationKey]
  let logFormat: LogFormat
  let logLevel: LogLevel
  let threads: Int
  /// The way of messages; nil for none.
  let mail: SMTPMailTransport?
  let webhooks: [WebhookSettings]
  /// The calls of a webhook after the first before a message is a dead letter.
  let webhookRetries: Int
  /// Whether a data directory without users gets an administrator.
  let makesAdministrator: Bool

  /// - Throws: ``CommandFailure`` or ``ConfigurationFile/Problem``, naming the setting and the remedy.
  init(_ invocation: Invocation) throws {
    let file = try invocation.text("config").map { try ConfigurationFile.read($0) }
    try self.init(Settings(invocation, options: ServeOptions.all, file: file))
  }

  init(_ settings: Settings) throws {
    self.settings = settings
    data = settings.text("data") ?? DataDefaults.directory
    shared = try SharedStorageSettings.storage(settings, isServing: true)
    logFormat = settings.text("log-format") == "json" ? .json : .text
    logLevel = LogLevel(settings.text("log-level") ?? "info") ?? .info
    let chosen = settings.integer("threads") ?? 0
    threads = chosen > 0 ? chosen : max(3, ProcessInfo.processInfo.activeProcessorCount + 1)
    makesAdministrator = !settings.flag("no-first-administrator")
    foreignKeys = try Self.foreignKeys(settings)
    webhooks = try ProviderSections.webhooks(settings)
    webhookRetries = settings.integer("webhook-retries") ?? 10
    var configuration = try Self.configuration(settings)
    mail = try Self.mail(settings, &configuration)
    self.configuration = configuration
  }

  private static func configuration(_ settings: Settings) throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.version = ServerTool.version
    configuration.address = ListenAddress(
      host: settings.text("host") ?? "127.0.0.1", port: settings.integer("port") ?? 9_080)
    configuration.publicURL = try publicURL(settings)
    configuration.http.tls = try tls(settings)
    configuration.accounts = accounts(settings)
    configuration.apps = try apps(settings)
    configuration.tokenProviders = try ProviderSections.tokenProviders(settings)
    configuration.functionProviders = try ProviderSections.functionProviders(settings)
    configuration.metricsAccess =
      settings.text("metrics").flatMap(ClientScope.init(rawValue:)) ?? .local
    configuration.graphQL.isEnabled = settings.text("graphql") != "off"
    configuration.graphQL.asksForTokens = settings.text("graphql") != "open"
    configuration.graphQL.includesCount = settings.flag("graphql-counts")
    configuration.studio = StudioPages.files
    configuration.studioAccess = settings.text("studio").flatMap(ClientScope.init(rawValue:)) ?? .local
    configuration.isBehindProxy = settings.flag("behind-proxy")
    configuration.trustedProxies = try trustedProxies(settings)
    func set<Value>(_ place: inout Value, _ value: Value?) { if let value { place = value } }
    func bytes(_ name: String, _ unit: Int) -> Int? { settings.integer(name).map { $0 * unit } }
    set(&configuration.maximumConnections, settings.integer("max-connections"))
    set(&configuration.connectionsPerSecond, settings.integer("connection-rate"))
    set(&configuration.accountsPerSecond, settings.integer("account-rate"))
    set(&configuration.http.maximumBodyBytes, bytes("max-body-kb", 1 << 10))
    set(&configuration.maximumMessageBytes, bytes("max-message-mb", 1 << 20))
    set(&configuration.memoryBudget, bytes("memory-mb", 1 << 20))
    set(&configuration.slowReaderTimeout, settings.seconds("slow-reader-seconds"))
    set(&configuration.sync.idleTimeout, settings.seconds("idle-seconds"))
    set(&configuration.realmIdleTimeout, settings.seconds("realm-idle-seconds"))
    set(&configuration.maximumOpenRealms, settings.integer("open-realms"))
    set(&configuration.history.timeToLive, try historyLifetime(settings))
    configuration.vacuumInterval = settings.integer("vacuum-hours").flatMap { $0 > 0 ? .seconds($0 * 3_600) : nil }
    set(&configuration.stopGrace, settings.seconds("stop-seconds"))
    return configuration
  }

  /// `history-days`, or `historyTTL` in its place.
  private static func historyLifetime(_ settings: Settings) throws -> Duration? {
    guard let seconds = settings.integer("historyTTL") else {
      return settings.integer("history-days").map { .seconds($0 * 86_400) }
    }
    guard settings.isDefault("history-days") else {
      throw CommandFailure(
        "\(settings.location(of: "historyTTL")) is set, and history-days as well",
        remedy: "they are one setting under two names; leave one out", exitCode: .usage)
    }
    return .seconds(seconds)
  }

  static func accounts(_ settings: Settings) -> AccountPolicy {
    var accounts = AccountPolicy()
    accounts.registration = settings.text("registration").flatMap(ClientScope.init(rawValue:)) ?? .local
    accounts.hidesTakenNames = settings.flag("hide-taken-names")
    accounts.anonymous = settings.text("anonymous").flatMap(ClientScope.init(rawValue:)) ?? .local
    accounts.nicknames = settings.text("nickname").flatMap(ClientScope.init(rawValue:)) ?? .none
    accounts.allowsPasswords = !settings.flag("no-passwords")
    accounts.allowsAPIKeys = !settings.flag("no-api-keys")
    accounts.foreignTokens.audiences = Set(settings.list("jwt-audience"))
    accounts.foreignTokens.issuers = Set(settings.list("jwt-issuer"))
    accounts.rules.partitionLevel = settings.text("partition-access").flatMap { AccessLevel(name: $0) } ?? .none
    accounts.rules.appLevel = settings.text("default-realm-access").flatMap { AccessLevel(name: $0) } ?? .write
    if let bytes = settings.integer("minimum-password") { accounts.minimumPasswordBytes = bytes }
    if let minutes = settings.integer("access-token-minutes") { accounts.accessTokenLifetime = .seconds(minutes * 60) }
    if let days = settings.integer("refresh-token-days") { accounts.refreshTokenLifetime = .seconds(days * 86_400) }
    return accounts
  }

  /// The realms of apps: `ID=/PATH`.
  private static func apps(_ settings: Settings) throws -> [String: RealmPath] {
    var apps: [String: RealmPath] = [:]
    for entry in settings.list("app") {
      func refusal(_ fault: String) -> CommandFailure {
        CommandFailure(
          "\(settings.location(of: "app")): '\(entry)': \(fault)",
          remedy: "write it as app = { \"todo-abcde\" = \"/todo\" }, or --app todo-abcde=/todo", exitCode: .usage)
      }
      let parts = entry.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, let id = parts.first, !id.isEmpty, let text = parts.last else {
        throw refusal("it has no app id or no path")
      }
      let path: RealmPath
      do throws(RealmPathError) { path = try RealmPath(text) } catch { throw refusal("\(error)") }
      guard apps.updateValue(path, forKey: id) == nil else { throw refusal("the app has a realm already") }
    }
    return apps
  }

  private static func trustedProxies(_ settings: Settings) throws -> TrustedProxies {
    TrustedProxies(
      try settings.list("trusted-proxies").map { text in
        guard let range = AddressRange(text) else {
          throw CommandFailure(
            "\(settings.location(of: "trusted-proxies")): '\(text)' is no range of addresses",
            remedy: "write an address, or ADDRESS/BITS without bits behind these, such as 10.0.0.0/8", exitCode: .usage)
        }
        return range
      })
  }

  private static func publicURL(_ settings: Settings) throws -> NetworkURL? {
    guard let text = settings.text("public-url") else { return nil }
    do {
      return try NetworkURL(text)
    } catch {
      throw CommandFailure(
        "\(settings.location(of: "public-url")): \(error.message)", remedy: "write it as https://sync.example.org",
        exitCode: .usage)
    }
  }

  /// Certificate and key, read now, and found to belong together.
  static func tls(_ settings: Settings) throws -> TLSServerConfiguration? {
    let paths = (settings.text("tls-certificate"), settings.text("tls-key"))
    guard case (let certificate?, let key?) = paths else {
      guard paths.0 != nil || paths.1 != nil else { return nil }
      let (set, missing) = paths.0 == nil ? ("tls-key", "tls-certificate") : ("tls-certificate", "tls-key")
      throw CommandFailure(
        "\(settings.location(of: set)) is set, but \(missing) is not", remedy: "set both, or none", exitCode: .usage)
    }
    let tls = TLSServerConfiguration(
      certificateChainPEM: try text(certificate, "tls-certificate", settings),
      privateKeyPEM: try text(key, "tls-key", settings))
    do {
      try RealNetwork.check(tls)
    } catch {
      throw CommandFailure(
        "\(settings.location(of: "tls-certificate")): \(error.message)",
        remedy: "give a PEM file with the certificate first, and the key that it was made with", exitCode: .usage)
    }
    return tls
  }

  private static func text(_ path: String, _ name: String, _ settings: Settings) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(
        "\(settings.location(of: name)): \(path) cannot be read",
        remedy: "check that the file exists and that the server's user may read it")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The keys of other systems: `FILE` for any token, `KID=FILE` for tokens with that `kid`.
  private static func foreignKeys(_ settings: Settings) throws -> [VerificationKey] {
    try settings.list("jwt-key").map { entry in
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      let isNamed = parts.count == 2 && !parts[0].contains("/")
      let path = isNamed ? parts[1] : entry
      let pem = try text(path, "jwt-key", settings)
      do throws(CryptographyError) {
        let key = try VerificationKey(pem: pem)
        return isNamed ? key.identified(by: parts[0]) : key
      } catch {
        throw CommandFailure(
          "\(settings.location(of: "jwt-key")): \(path): \(error.message)",
          remedy: "give a public RSA or P-256 key in PEM")
      }
    }
  }
}
