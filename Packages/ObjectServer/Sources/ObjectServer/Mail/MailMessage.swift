import Cryptography
public import Telemetry

/// A message of plain text to one recipient.
public struct MailMessage: Hashable, Sendable {
  /// The address of the sender, without a name.
  public var sender: String
  /// The name of the sender as people see it; empty for none.
  public var senderName: String
  /// The address of the recipient.
  public var recipient: String
  /// The subject.
  public var subject: String
  /// The text.
  public var text: String
  /// The time of writing.
  public var date: WallTime
  /// The part of the message id before the `@`.
  public var ident: String

  /// The message as it is sent (RFC 5322): lines end with CR and LF, everything is ASCII.
  public var encoded: [UInt8] {
    let host = sender.split(separator: "@").last.map(String.init) ?? "localhost"
    let from = senderName.isEmpty ? "<\(sender)>" : "\(Self.word(senderName)) <\(sender)>"
    let headers = [
      "From: \(from)", "To: <\(recipient)>", "Subject: \(Self.word(subject))", "Date: \(Self.date(date))",
      "Message-ID: <\(ident)@\(host)>", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated",
    ]
    var lines = headers + [""]
    let body = Array(Base64.standard.encode(Array(text.utf8)).utf8)
    for start in stride(from: 0, to: body.count, by: 76) {
      lines.append(String(decoding: body[start..<min(body.count, start + 76)], as: UTF8.self))
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// A header's text: as encoded words where it is not plain ASCII, so that no line break or field can be smuggled in.
  private static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) && !Array("\"\\<>,;:@()[]=?".utf8).contains(byte)
    }
    if isPlain, text.utf8.count <= 60 { return text }
    var words: [String] = [], part: [UInt8] = []
    for character in text {
      if part.count + character.utf8.count > 36, !part.isEmpty {
        words.append("=?utf-8?B?\(Base64.standard.encode(part))?=")
        part = []
      }
      part += Array(character.utf8)
    }
    words.append("=?utf-8?B?\(Base64.standard.encode(part))?=")
    return words.joined(separator: "\r\n ")
  }

  /// `Fri, 20 Nov 2026 19:00:00 +0000`.
  private static func date(_ time: WallTime) -> String {
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = Int(time.secondsSince1970 / 86_400), text = Array(time.description)
    let month = Int(String(text[5..<7])) ?? 1
    return
      "\(names[(days % 7 + 7) % 7]), \(String(text[8..<10])) \(months[(month + 11) % 12]) \(String(text[0..<4])) \(String(text[11..<19])) +0000"
  }

  /// Whether a text is an address that can be written to: `name@domain` in printable ASCII without blanks, brackets, quotes
  /// and separators, at most 254 bytes.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= 254, parts.count == 2, let name = parts.first, let host = parts.last else { return false }
    guard !name.isEmpty, name.utf8.count <= 64, !host.isEmpty, !host.hasPrefix("."), !host.hasSuffix(".") else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      (0x21..<0x7F).contains(byte) && !Array("\"\\<>,;:()[]".utf8).contains(byte)
    }
  }
}

/// Sends messages.
public protocol MailTransport: Sendable {
  /// Sends one message. Blocks; called on the executor.
  ///
  /// - Throws: ``MailError``
  func send(_ message: MailMessage) throws(MailError)
}

/// The reason why a message was not taken.
public struct MailError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public var message: String
  /// Whether trying again is of no use.
  public var isPermanent: Bool

  /// A reason.
  public init(_ message: String, isPermanent: Bool = false) {
    self.message = message
    self.isPermanent = isPermanent
  }

  /// The reason.
  public var description: String { message }
}

/// The settings of mail.
public struct MailSettings: Hashable, Sendable {
  /// The address that messages come from.
  public var sender: String
  /// The name of the service, which messages and pages show.
  public var serviceName = "OpenRealm"
  /// The beginning of the links in messages: the address at which clients reach the server, without a slash at the end.
  public var linkBase: String
  /// Whether a new account exists once its address is confirmed.
  public var confirmsAccounts = true
  /// The life of the link of a confirmation.
  public var confirmationLifetime: Duration = .seconds(24 * 3_600)
  /// The life of the link of a reset.
  public var resetLifetime: Duration = .seconds(3_600)

  /// Settings with the choices above.
  public init(sender: String, linkBase: String) {
    self.sender = sender
    self.linkBase = linkBase
  }
}
