import ByteCoding
import Cryptography
public import Telemetry

/// One entry of the audit log: who did what to what, when, from where, and how it ended.
///
/// An entry holds no secret: passwords, tokens, keys and the secrets of offers are not among its parts.
public struct AuditEntry: Hashable, Sendable {
  /// The place in the log, from 1, without gaps.
  public var number: UInt64
  /// The time by the server's clock.
  public var time: WallTime
  /// The kind of event, such as `login` or `admin.deleteUser`.
  public var event: String
  /// The id of the user who acted; empty when nobody was proven.
  public var actor: String
  /// The object of the act, such as a user's id or the path of a realm; empty for none.
  public var subject: String
  /// The address of the peer; empty for the server itself and for tools.
  public var address: String
  /// `ok`, or the code of the refusal.
  public var outcome: String
  /// Further facts, in order.
  public var details: [Detail]

  /// A named fact.
  public struct Detail: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// A named fact.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The most bytes of one text of an entry; longer ones are cut, because some come from peers.
  public static let maximumTextBytes = 512

  /// The line of the log without its end: the entry, the hash of the entry before, and the hash of both.
  func line(after previous: String) -> String {
    let body = JSONValue.object([
      ("number", .number(String(number))), ("time", .string(time.description)),
      ("milliseconds", .number(String(time.millisecondsSince1970))), ("event", Self.text(event)),
      ("actor", Self.text(actor)), ("subject", Self.text(subject)), ("address", Self.text(address)),
      ("outcome", Self.text(outcome)), ("details", .object(details.map { ($0.name, Self.text($0.value)) })),
      ("previous", .string(previous)),
    ]).text
    return body.dropLast() + ",\"hash\":\"\(Self.hash(body))\"}"
  }

  /// The hash of an entry's text: SHA-256 in hexadecimal digits.
  static func hash(_ text: String) -> String { hexText(Digest.sha256.hash(Array(text.utf8))) }

  /// The hash before the first entry.
  static let noHash = String(repeating: "0", count: 64)

  private static func text(_ text: String) -> JSONValue {
    guard text.utf8.count > maximumTextBytes else { return .string(text) }
    var cut = text.unicodeScalars.prefix(maximumTextBytes)
    while String(cut).utf8.count > maximumTextBytes { cut = cut.dropLast() }
    return .string(String(cut) + "…")
  }
}

/// A line of the audit log, read back.
struct AuditLine {
  var entry: AuditEntry
  var previous: String
  var hash: String
  /// Whether the hash is that of the entry's text.
  var isWhole: Bool

  /// - Returns: nil for a line that is no entry.
  init?(_ line: Substring) {
    guard let value = try? JSONValue(parsing: String(line)), let number = value["number"]?.unsignedInteger,
      let time = value["milliseconds"]?.integer, let event = value["event"]?.string,
      let previous = value["previous"]?.string, let hash = value["hash"]?.string
    else { return nil }
    func text(_ name: String) -> String { value[name]?.string ?? "" }
    entry = AuditEntry(
      number: number, time: WallTime(millisecondsSince1970: time), event: event, actor: text("actor"),
      subject: text("subject"),
      address: text("address"), outcome: text("outcome"),
      details: (value["details"]?.members ?? []).map { AuditEntry.Detail($0.key, $0.value.string ?? "") })
    self.previous = previous
    self.hash = hash
    let end = ",\"hash\":\"\(hash)\"}"
    isWhole = line.hasSuffix(end) && AuditEntry.hash(line.dropLast(end.count) + "}") == hash
  }
}
