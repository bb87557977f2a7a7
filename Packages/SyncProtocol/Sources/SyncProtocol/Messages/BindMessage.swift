import ByteCoding

/// BIND, client to server: opens a session on a realm.
public struct BindMessage: Hashable, Sendable {
  /// The session that is opened.
  public var session: SessionIdent
  /// Full sync: the virtual path or the partition value as JSON, at most 1024 bytes. Flexible: JSON, see ``FlexibleBinding``.
  public var path: String
  /// The access token; empty in modern clients, whose token is in the URL. At most 2048 bytes.
  public var token: String
  /// Whether the client file has no file ident yet and asks for one.
  public var needsFileIdent: Bool
  /// Whether the client is itself a server of others; false except in clusters.
  public var isSubserver: Bool

  /// A BIND.
  public init(
    session: SessionIdent, path: String, token: String = "", needsFileIdent: Bool, isSubserver: Bool = false
  ) {
    self.session = session
    self.path = path
    self.token = token
    self.needsFileIdent = needsFileIdent
    self.isSubserver = isSubserver
  }
}

/// The JSON in the path field of a flexible BIND.
public struct FlexibleBinding: Hashable, Sendable {
  /// The reason of the session (version 10): 0 ordinary, 1 for a client reset.
  public var sessionReason: UInt64?
  /// The schema version of the client (version 11).
  public var schemaVersion: UInt64?
  /// The partition of the full-sync file being migrated (version 9).
  public var migratedPartition: String?

  /// A binding.
  public init(sessionReason: UInt64? = nil, schemaVersion: UInt64? = nil, migratedPartition: String? = nil) {
    self.sessionReason = sessionReason
    self.schemaVersion = schemaVersion
    self.migratedPartition = migratedPartition
  }

  /// Reads the path field; nil when it is neither empty nor a JSON object.
  public init?(path: String) {
    self.init()
    if path.isEmpty { return }
    guard case .object(let members)? = try? JSONValue(parsing: path) else { return nil }
    for (key, value) in members {
      switch key {
      case "sessionReason": sessionReason = value.unsignedInteger
      case "schemaVersion": schemaVersion = value.unsignedInteger
      case "migratedPartition": migratedPartition = value.string ?? migratedPartition
      // Keys of later versions are ignored.
      default: continue
      }
    }
  }

  /// The JSON text for the path field: keys in alphabetical order, as stock clients write them.
  public var path: String {
    var members: [(key: String, value: JSONValue)] = []
    if let migratedPartition { members.append(("migratedPartition", .string(migratedPartition))) }
    if let schemaVersion { members.append(("schemaVersion", .number(String(schemaVersion)))) }
    if let sessionReason { members.append(("sessionReason", .number(String(sessionReason)))) }
    return JSONValue.object(members).text
  }
}
