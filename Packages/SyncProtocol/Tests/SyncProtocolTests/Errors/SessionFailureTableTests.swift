import SyncProtocol
import Testing

/// The action and `tryAgain` of each error of a server, row by row.
struct SessionFailureTableTests {
  static let sessionRows: [(code: SessionFailure.Code, action: String, tryAgain: Bool)] = [
    (.sessionClosed, "Transient", true), (.otherSessionError, "ApplicationBug", false),
    (.illegalRealmPath, "ApplicationBug", false), (.permissionDenied, "ApplicationBug", false),
    (.badClientFileIdent, "ClientReset", false), (.badServerVersion, "ClientReset", false),
    (.badClientVersion, "ClientReset", false), (.divergingHistories, "ClientReset", false),
    (.badChangeset, "ClientReset", false), (.badOriginFileIdent, "ProtocolViolation", false),
    (.badClientFile, "ClientReset", false), (.clientFileExpired, "ClientReset", false),
    (.userMismatch, "ApplicationBug", false), (.invalidSchemaChange, "ApplicationBug", false),
    (.badQuery, "ApplicationBug", false), (.objectAlreadyExists, "ClientReset", false),
    (.permissionsChanged, "ClientReset", false), (.initialSyncNotCompleted, "Transient", true),
    (.writeNotAllowed, "ClientReset", false), (.compensatingWrite, "Warning", true),
    (.migratedToFlexible, "MigrateToFLX", false), (.revertedToFull, "RevertToPBS", false),
    (.badSchemaVersion, "ApplicationBug", false), (.schemaVersionChanged, "MigrateSchema", false),
  ]

  @Test("each session error has its action and its tryAgain, in every version")
  func sessionErrors() {
    #expect(Self.sessionRows.map(\.code) == SessionFailure.Code.allCases)
    for row in Self.sessionRows {
      for version in 8...14 as ClosedRange<UInt16> {
        let message = SessionFailure(row.code, "why").message(for: SessionIdent(7), version: ProtocolVersion(version))
        guard case .jsonError(let error) = message else {
          Issue.record("\(row.code) is no JSON_ERROR")
          continue
        }
        let isOld = version < 9 && ["MigrateToFLX", "RevertToPBS", "MigrateSchema"].contains(row.action)
        #expect(error.details.action.text == (isOld ? "ApplicationBug" : row.action), "\(row.code) in \(version)")
        #expect(error.details.tryAgain == row.tryAgain)
        #expect(error.details.message == "why")
        #expect(error.code.rawValue == row.code.rawValue)
        #expect(error.session == SessionIdent(7))
        #expect(error.details.shouldClientReset == (row.action == "ClientReset"))
        #expect(!error.details.isRecoveryModeDisabled)
      }
    }
  }

  static let connectionRows: [(code: ConnectionFailure.Code, action: String, tryAgain: Bool)] = [
    (.connectionClosed, "Transient", true), (.otherError, "Transient", true),
    (.unknownMessage, "ProtocolViolation", false), (.badSyntax, "ProtocolViolation", false),
    (.badSessionIdent, "ProtocolViolation", false), (.reuseOfSessionIdent, "ProtocolViolation", false),
    (.boundInOtherSession, "ProtocolViolation", false), (.badMessageOrder, "ProtocolViolation", false),
    (.badDecompression, "ProtocolViolation", false), (.badChangesetHeader, "ProtocolViolation", false),
    (.badChangesetSize, "ProtocolViolation", false), (.switchToFlexible, "ApplicationBug", false),
    (.switchToFull, "ApplicationBug", false),
  ]

  @Test("each connection error has its action and its tryAgain, and belongs to session 0")
  func connectionErrors() {
    #expect(Self.connectionRows.map(\.code) == ConnectionFailure.Code.allCases)
    for row in Self.connectionRows {
      guard case .jsonError(let error) = ConnectionFailure(row.code, "why").serverMessage else {
        Issue.record("\(row.code) is no JSON_ERROR")
        continue
      }
      #expect(error.details.action.text == row.action, "\(row.code)")
      #expect(error.details.tryAgain == row.tryAgain, "\(row.code)")
      #expect(error.session == .connection)
      #expect(error.code.rawValue == row.code.rawValue)
    }
  }

  @Test("in full sync the bytes of a message are the same in every version from 8 to 14")
  func versionsAgree() {
    for row in GoldenTests.serverRows where row.dialect.flavour == .full {
      for version in 8...14 as ClosedRange<UInt16> {
        #expect(row.message.encoded(for: Dialect(.full, ProtocolVersion(version))) == Array(row.text.utf8))
      }
    }
    for row in GoldenTests.clientRows where row.dialect.flavour == .full {
      for version in 8...14 as ClosedRange<UInt16> {
        #expect(row.message.encoded(for: Dialect(.full, ProtocolVersion(version))) == Array(row.text.utf8))
      }
    }
  }

  @Test("a path or token of BIND above its limit is refused")
  func bindLimits() {
    func answer(path: Int, token: Int) -> String? {
      var server = ServerDialogue()
      let text = "bind 1 \(path) \(token) 0 0\n/" + String(repeating: "a", count: max(0, path - 1))
      return server.say(text + String(repeating: "t", count: token)).first
    }
    #expect(answer(path: 200, token: 2048)?.hasPrefix("open /aa") == true)
    #expect(answer(path: 200, token: 2049) == "error 103 0 ProtocolViolation")
    // Whether the path names a realm is the owner's to say.
    #expect(answer(path: 1024, token: 0)?.hasPrefix("open /aa") == true)
    #expect(answer(path: 1025, token: 0) == "error 103 0 ProtocolViolation")
    #expect(answer(path: 0, token: 0) == "error 103 0 ProtocolViolation")
  }
}
