/// Which realm a BIND asks for: a virtual path such as `/alice/notes`, or a partition value as JSON.
///
///     try RealmPath("/alice/notes").segments          // ["alice", "notes"]
///     try RealmPath("{\"$numberInt\":\"42\"}").key    // "partition/i:42"
///     try RealmPath("/alice/../bob")                  // throws 204
struct RealmPath: Hashable, Sendable, CustomStringConvertible {
  /// The segments of a virtual path; for a partition value a single one, ``PartitionValue/key``, behind `partition`.
  let segments: [String]
  /// The partition value, when it is one.
  let partition: PartitionValue?

  /// Reads the path field of a full-sync BIND. A first segment `~` stands for the user's own id; its expansion is the server's.
  ///
  /// - Throws: ``SessionFailure`` 204 for a text that names no realm.
  init(_ text: String) throws(SessionFailure) {
    if let partition = PartitionValue(json: text) {
      self.partition = partition
      segments = ["partition", partition.key]
      return
    }
    let body = text.hasPrefix("/") ? text.dropFirst() : text[...]
    let parts = body.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for (index, part) in parts.enumerated() where !(index == 0 && part == "~") {
      guard Self.isSegment(part) else { throw Self.illegal(text) }
    }
    let marks = parts.indices.filter { parts[$0] == "__partial" }
    if let mark = marks.first {
      guard marks.count == 1, mark > 0, mark < parts.count - 1 else { throw Self.illegal(text) }
    }
    partition = nil
    segments = parts
  }

  /// A path from segments that are known to be legal, as after expanding `~`.
  ///
  /// - Throws: ``SessionFailure`` 204 when they are not.
  init(segments: [String]) throws(SessionFailure) { try self.init("/" + segments.joined(separator: "/")) }

  private init(known segments: [String]) {
    self.segments = segments
    partition = nil
  }

  /// What a flexible BIND asks for: there is one realm, and queries select from it.
  static let flexible = RealmPath(known: ["flexible"])

  private static func illegal(_ text: String) -> SessionFailure {
    SessionFailure(
      .illegalRealmPath,
      "Illegal Realm path (BIND): serialized partition '\(text.prefix(200))' is invalid: use /segments of letters, digits, _ - ."
    )
  }

  private static func isSegment(_ segment: String) -> Bool {
    guard !segment.isEmpty, !segment.hasPrefix("."), segment.utf8.count <= 255 else { return false }
    guard ![".realm", ".realm.lock", ".realm.management"].contains(where: segment.hasSuffix) else { return false }
    return segment.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == 0x5F || byte == 0x2D || byte == 0x2E
    }
  }

  /// One text for each realm: the segments joined by `/`.
  var key: String { segments.joined(separator: "/") }
  var description: String { "/" + key }
}

/// A partition value of a stock SDK, which puts it into BIND as extended JSON.
enum PartitionValue: Hashable, Sendable {
  case null
  case string(String)
  case integer(Int64)
  case objectId(String)
  case uuid(String)

  /// Reads extended JSON; nil when it is none. A path is not JSON, as it has no quotes.
  init?(json text: String) {
    guard let first = text.utf8.first, [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "n")].contains(first),
      let value = try? JSONValue(parsing: text)
    else { return nil }
    switch value {
    case .null: self = .null
    case .string(let string): self = .string(string)
    case .object(let members):
      guard members.count == 1, let member = members.first else { return nil }
      switch (member.key, member.value) {
      case ("$numberInt", .string(let digits)), ("$numberLong", .string(let digits)):
        guard let integer = Int64(digits) else { return nil }
        self = .integer(integer)
      case ("$oid", .string(let digits)):
        guard digits.utf8.count == 24, digits.allSatisfy(\.isHexDigit) else { return nil }
        self = .objectId(digits.lowercased())
      case ("$binary", .object):
        guard let base64 = member.value["base64"]?.string, member.value["subType"]?.string == "04",
          base64.utf8.count == 24
        else { return nil }
        self = .uuid(base64)
      default: return nil
      }
    default: return nil
    }
  }

  /// One text for each value, with a letter for its kind.
  var key: String {
    switch self {
    case .null: "null"
    case .string(let string): "s:" + string
    case .integer(let integer): "i:\(integer)"
    case .objectId(let digits): "o:" + digits
    case .uuid(let base64): "u:" + base64
    }
  }
}
