/// The instruction of a JSON_ERROR to the client.
public enum ErrorAction: Hashable, Sendable {
  /// Stop and report: one side broke the protocol.
  case protocolViolation
  /// Stop and report.
  case applicationBug
  /// Report and go on.
  case warning
  /// Report nothing, try again later.
  case transient
  /// Delete the local file when it is opened next.
  case deleteRealm
  /// Reset the client file in the configured way.
  case clientReset
  /// Reset the client file without recovering local changes.
  case clientResetNoRecovery
  /// Change to flexible sync.
  case migrateToFlexible
  /// Change back to full sync.
  case revertToFull
  /// Migrate to another schema version.
  case migrateSchema
  /// Get a new access token.
  case refreshUser
  /// Ask where the server is.
  case refreshLocation
  /// Log the user out.
  case logOutUser
  /// An unknown text; treated as ``applicationBug``.
  case other(String)

  private static let texts: [(ErrorAction, String)] = [
    (.protocolViolation, "ProtocolViolation"), (.applicationBug, "ApplicationBug"), (.warning, "Warning"),
    (.transient, "Transient"), (.deleteRealm, "DeleteRealm"), (.clientReset, "ClientReset"),
    (.clientResetNoRecovery, "ClientResetNoRecovery"), (.migrateToFlexible, "MigrateToFLX"),
    (.revertToFull, "RevertToPBS"), (.migrateSchema, "MigrateSchema"), (.refreshUser, "RefreshUser"),
    (.refreshLocation, "RefreshLocation"), (.logOutUser, "LogOutUser"),
  ]

  /// The action that the text on the wire names.
  public init(text: String) {
    self = Self.texts.first { $0.1 == text }?.0 ?? .other(text)
  }

  /// The text on the wire.
  public var text: String {
    if case .other(let text) = self { return text }
    return Self.texts.first { $0.0 == self }?.1 ?? "ApplicationBug"
  }

  /// Whether every client that speaks `version` knows the action. Cores of versions 7 and 8 know only the first seven.
  public func isKnown(to version: ProtocolVersion) -> Bool {
    switch self {
    case .protocolViolation, .applicationBug, .warning, .transient, .deleteRealm, .clientReset,
      .clientResetNoRecovery:
      true
    case .other: false
    case .migrateToFlexible, .revertToFull, .migrateSchema, .refreshUser, .refreshLocation, .logOutUser:
      version.rawValue >= 9
    }
  }
}
