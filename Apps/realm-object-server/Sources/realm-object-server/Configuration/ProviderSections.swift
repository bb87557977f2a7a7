import CommandLineKit
import Cryptography
import EventHandling
import Foundation
import ObjectServer
import Transport

/// The sections of the configuration file: login providers and webhooks.
enum ProviderSections {
  /// The settings of each kind of section.
  static let names = [
    "jwt": [
      "key-set", "keys", "issuer", "audience", "identity-claim", "admin-claim", "admin-value", "leeway-seconds",
    ],
    "function": ["url", "secret-file"],
    "webhook": ["url", "pattern", "secret-file", "timeout-seconds"],
  ]

  /// The providers of tokens.
  ///
  /// - Throws: ``CommandFailure``, naming the section and the remedy.
  static func tokenProviders(_ settings: Settings) throws -> [TokenProvider] {
    try settings.sections.filter { $0.kind == "jwt" }.map { section in
      var provider = TokenProvider(name: section.name)
      for file in section.list("keys") {
        provider.keys.append(try usable(section, settings) { try VerificationKey(pem: text(file, section, settings)) })
      }
      if let place = section.text("key-set") {
        if place.contains("://") {
          provider.keySetURL = try usable(section, settings) { try NetworkURL(place) }
        } else {
          provider.keys += try usable(section, settings) {
            try JSONWebKeySet(json: Array(text(place, section, settings).utf8)).keys
          }
        }
      }
      guard !provider.keys.isEmpty || provider.keySetURL != nil else {
        throw failure("it has no keys", "set key-set to the address or file of a JSON Web Key Set", section, settings)
      }
      provider.rules.issuers = Set(section.list("issuer"))
      provider.rules.audiences = Set(section.list("audience"))
      provider.identityClaim = section.text("identity-claim")
      if let claim = section.text("admin-claim") { provider.administratorClaim = claim }
      if let value = section.text("admin-value") { provider.administratorValue = value }
      if let text = section.text("leeway-seconds") {
        guard let seconds = Int(text), (0...3_600).contains(seconds) else {
          throw failure("leeway-seconds is '\(text)'", "give a whole number from 0 to 3600", section, settings)
        }
        provider.rules.leeway = .seconds(seconds)
      }
      return provider
    }
  }

  /// The login functions.
  ///
  /// - Throws: ``CommandFailure``, naming the section and the remedy.
  static func functionProviders(_ settings: Settings) throws -> [FunctionProvider] {
    try settings.sections.filter { $0.kind == "function" }.map { section in
      guard let url = section.text("url") else {
        throw failure("it has no url", "set url to the address of the function", section, settings)
      }
      let secret = try section.text("secret-file").map { file in
        try text(file, section, settings).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      return FunctionProvider(
        name: section.name, url: try usable(section, settings) { try NetworkURL(url) }, secret: secret)
    }
  }

  /// The webhooks.
  ///
  /// - Throws: ``CommandFailure``, naming the section and the remedy.
  static func webhooks(_ settings: Settings) throws -> [WebhookSettings] {
    try settings.sections.filter { $0.kind == "webhook" }.map { section in
      guard let url = section.text("url") else {
        throw failure("it has no url", "set url to the address that messages go to", section, settings)
      }
      let pattern: PathPattern
      do { pattern = try PathPattern(section.text("pattern") ?? ".*") } catch {
        throw failure("\(error)", "set pattern to a regular expression over realm paths", section, settings)
      }
      let secret = try section.text("secret-file").map { file in
        try text(file, section, settings).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      var webhook = WebhookSettings(
        name: section.name, url: try usable(section, settings) { try NetworkURL(url) }, pattern: pattern,
        secret: secret ?? "")
      if let text = section.text("timeout-seconds") {
        guard let seconds = Int(text), (1...300).contains(seconds) else {
          throw failure("timeout-seconds is '\(text)'", "give a whole number from 1 to 300", section, settings)
        }
        webhook.timeout = .seconds(seconds)
      }
      return webhook
    }
  }

  private static func text(
    _ path: String, _ section: ConfigurationFile.Section, _ settings: Settings
  ) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw failure(
        "\(path) cannot be read", "check that the file exists and that the server's user may read it", section, settings
      )
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func usable<Value>(
    _ section: ConfigurationFile.Section, _ settings: Settings, _ make: () throws -> Value
  ) throws -> Value {
    do {
      return try make()
    } catch let error as CommandFailure {
      throw error
    } catch let error as CryptographyError {
      throw failure(error.message, "give public RSA or P-256 keys", section, settings)
    } catch let error as TransportError {
      throw failure(error.message, "write the address as https://login.example.org/keys", section, settings)
    }
  }

  private static func failure(
    _ fault: String, _ remedy: String, _ section: ConfigurationFile.Section, _ settings: Settings
  ) -> CommandFailure {
    CommandFailure(
      "\(settings.path):\(section.line): [\(section.kind).\(section.name)]: \(fault)", remedy: remedy, exitCode: .usage)
  }
}
