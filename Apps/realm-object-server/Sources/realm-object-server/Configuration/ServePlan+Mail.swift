import CommandLineKit
import Foundation
import ObjectServer
import SMTPMail
import Telemetry

/// The settings of mail.
extension ServePlan {
  /// The transport, and the settings in `configuration`; nil without a mail server.
  ///
  /// - Throws: ``CommandFailure``, naming the setting and the remedy.
  static func mail(_ settings: Settings, _ configuration: inout ServerConfiguration) throws -> SMTPMailTransport? {
    guard let server = settings.text("mail-server") else {
      for name in ["mail-from", "mail-user", "mail-password-file", "mail-authority"] where settings.text(name) != nil {
        throw refusal(settings, name, "is set, but mail-server is not", "set mail-server too, or leave it out")
      }
      return nil
    }
    let parts = server.components(separatedBy: "://")
    guard parts.count == 2, ["smtp", "smtps"].contains(parts[0]), !parts[1].isEmpty,
      server.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), !parts[1].contains("@"), !parts[1].contains("/")
    else {
      throw refusal(
        settings, "mail-server", "is no address of a mail server", "write it as smtp://mail.example.org:587")
    }
    guard let sender = settings.text("mail-from"), MailMessage.isAddress(sender) else {
      throw refusal(
        settings, "mail-server", "is set, but mail-from is no address", "set mail-from = \"realm@example.org\"")
    }
    guard let url = configuration.publicURL else {
      throw refusal(
        settings, "mail-server", "is set, but public-url is not, which the links in messages begin with",
        "set public-url = \"https://sync.example.org\"")
    }
    var mail = MailSettings(
      sender: sender, linkBase: "\(url.scheme.isSecure ? "https" : "http")://\(url.authority)")
    mail.serviceName = settings.text("mail-name") ?? "OpenRealm"
    mail.confirmsAccounts = !settings.flag("no-confirmation")
    configuration.mail = mail
    let password = try settings.text("mail-password-file").map { path -> Redacted<String> in
      guard let data = FileManager.default.contents(atPath: path) else {
        throw refusal(
          settings, "mail-password-file", "\(path) cannot be read", "check that the server's user may read it")
      }
      return Redacted(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
    return SMTPMailTransport(
      url: server, user: settings.text("mail-user"), password: password, authority: settings.text("mail-authority"),
      allowsPlainText: settings.flag("mail-plain"))
  }

  private static func refusal(
    _ settings: Settings, _ name: String, _ fault: String, _ remedy: String
  ) -> CommandFailure {
    CommandFailure("\(settings.location(of: name)) \(fault)", remedy: remedy, exitCode: .usage)
  }
}
