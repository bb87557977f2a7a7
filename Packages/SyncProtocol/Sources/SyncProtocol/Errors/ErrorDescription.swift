/// Name, cause and remedy of an error.
struct ErrorDescription: Sendable {
  var name: String
  var cause: String
  var remedy: String
  var crashesStockClients = false

  init(_ name: String, _ cause: String, _ remedy: String, crashes: Bool = false) {
    self.name = name
    self.cause = cause
    self.remedy = remedy
    crashesStockClients = crashes
  }

  private static let update = "update the side that broke the protocol, and report it with the log of both sides"
  private static let reset = "reset the client file: local changes are kept and sent again under a new ident"

  /// The errors by number; frozen by `FreezeTests`.
  static let table: [Int: ErrorDescription] = [
    100: .init("connection closed", "the server ends the connection without a fault", "nothing: the client reconnects"),
    101: .init("other connection error", "the server had trouble", "try again; read the server's log if it stays"),
    102: .init("unknown message", "a message type that this version does not have", update),
    103: .init("bad syntax", "a message whose head or fields cannot be read", update),
    104: .init("limits exceeded", "a message larger than allowed", "make smaller transactions", crashes: true),
    105: .init("wrong protocol version", "the two sides share no version", "update the older side"),
    106: .init("bad session ident", "a message for a session that is not bound", update),
    107: .init("session ident in use", "BIND with an ident that is still bound", update),
    108: .init("bound in other session", "one client file in two sessions of a connection", "open the file once"),
    109: .init("bad message order", "a message at a point where it has no meaning", update),
    110: .init("decompression failed", "the body of an UPLOAD is not the stated zlib stream", update),
    111: .init("bad changeset entry head", "an entry of an UPLOAD cannot be read", update),
    112: .init("bad changeset size", "an entry of an UPLOAD reaches beyond its body", update),
    113: .init(
      "flexible sync required", "full sync with a server for flexible sync", "open the realm with subscriptions"),
    114: .init(
      "full sync required", "flexible sync with a server for full sync", "open the realm with a partition or URL"),
    200: .init("session closed", "the server ends the session without a fault", "nothing: the client comes back"),
    201: .init("other session error", "the server had trouble with this realm", "try again; read the server's log"),
    202: .init("token expired", "the access token is too old", "refresh the token", crashes: true),
    203: .init("bad authentication", "the access token is not valid", "log in again", crashes: true),
    204: .init("illegal realm path", "the path or partition value cannot name a realm", "correct the realm URL"),
    205: .init("no such realm", "the realm does not exist", "create it or correct the URL", crashes: true),
    206: .init("permission denied", "the user has no right to the realm", "ask its owner to grant access"),
    207: .init("bad server file ident", "obsolete", update, crashes: true),
    208: .init("bad client file ident", "the server never gave out this file ident", reset),
    209: .init("bad server version", "the client knows a server version that the server does not have", reset),
    210: .init("bad client version", "the client's versions contradict what the server has of it", reset),
    211: .init("diverging histories", "client and server histories come from different pasts", reset),
    212: .init(
      "bad changeset", "a changeset cannot be read, merged or applied",
      "make both sides agree on the schema; the transaction is kept and reported"),
    213: .init("disabled session", "removed from the protocol", update),
    214: .init("partial sync disabled", "obsolete", update, crashes: true),
    215: .init("unsupported session feature", "obsolete", update, crashes: true),
    216: .init("bad origin file ident", "an entry claims an author that is not below the client", update),
    217: .init("client file cannot be synchronized", "the server gave this file up", reset),
    218: .init("server file deleted", "the realm was deleted while bound", "create it again", crashes: true),
    219: .init("client file blacklisted", "the file is shut out", "ask the administrator", crashes: true),
    220: .init("user blacklisted", "the user is shut out", "ask the administrator", crashes: true),
    221: .init("transaction before upload completion", "obsolete", update, crashes: true),
    222: .init("client file expired", "the client was away longer than the server keeps history", reset),
    223: .init("user mismatch", "the file belongs to another user", "log in as that user, or open another file"),
    224: .init("too many sessions", "a connection with too many sessions", "close realms", crashes: true),
    225: .init("invalid schema change", "a change that is not additive", "add instead of changing or removing"),
    226: .init("bad query", "a subscription that cannot be parsed or served", "correct the query"),
    227: .init("object already exists", "an object outside the view has this primary key", "subscribe to it first"),
    228: .init("permissions changed", "the user's rights changed since the last connection", reset),
    229: .init("initial sync not completed", "the server is not ready", "nothing: the client comes back"),
    230: .init(
      "write not allowed", "the user may not write to the realm", "ask its owner; local changes are set aside"),
    231: .init(
      "compensating write", "the server undid a write that was not allowed", "correct the write or the rights"),
    232: .init("migrated to flexible sync", "the realm changed its flavour", "nothing: the client migrates"),
    233: .init("bad progress", "a server that goes backwards", "restore the server's newest state"),
    234: .init("reverted to full sync", "the realm changed its flavour back", "nothing: the client follows"),
    235: .init("bad schema version", "the server does not know the schema version", "deploy the schema first"),
    236: .init("schema version changed", "the schema version of the file is older", "nothing: the client migrates"),
  ]
}
