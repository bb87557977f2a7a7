import SyncProtocol
import Testing

/// The tables of errors, actions and close codes.
struct ErrorTableTests {
  static let crashing: Set<Int> = [104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224]

  @Test("the table has every code, with name, cause and remedy")
  func tableIsComplete() {
    #expect(ProtocolErrorCode.known.map(\.rawValue) == Array(100...114) + Array(200...236))
    for code in ProtocolErrorCode.known {
      #expect(!code.name.isEmpty)
      #expect(!code.cause.isEmpty)
      #expect(!code.remedy.isEmpty)
      #expect(code.level == (code.rawValue < 200 ? .connection : .session))
      #expect(code.crashesStockClients == Self.crashing.contains(code.rawValue))
    }
    #expect(!ProtocolErrorCode(150).isKnown)
    #expect(ProtocolErrorCode(299).level == .session)
  }

  @Test("no error of a server terminates a stock client, and each has all six keys")
  func sendableCodesAreSafe() throws {
    for code in SessionFailure.Code.allCases {
      #expect(!code.wire.crashesStockClients)
      #expect(code.wire.level == .session)
      #expect(code.wire.isKnown)
      for version in 8...14 {
        let dialect = Dialect(.full, ProtocolVersion(UInt16(version)))
        var failure = SessionFailure(code, "m")
        failure.details.partitionQuery = code == .migratedToFlexible ? "q" : nil
        failure.details.previousSchemaVersion = code == .schemaVersionChanged ? 1 : nil
        if code == .compensatingWrite {
          failure.details.compensation = .init(serverVersion: .init(1), rejectedClientVersion: .init(1), rejections: [])
        }
        let bytes = failure.message(for: SessionIdent(1), version: dialect.version).encoded(for: dialect)
        let message = try MessageDecoder(dialect: dialect).serverMessage(bytes)
        guard case .jsonError(let error) = message else {
          Issue.record("not a JSON_ERROR")
          continue
        }
        #expect(error.details.action.isKnown(to: dialect.version))
      }
    }
    for code in ConnectionFailure.Code.allCases {
      #expect(!code.wire.crashesStockClients)
      #expect(code.wire.level == .connection)
      #expect(code.wire.isKnown)
    }
  }

  @Test("errors that end a client file's history tell the client to reset")
  func resets() {
    let resets: [SessionFailure.Code] = [
      .badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories, .badClientFile,
      .clientFileExpired, .writeNotAllowed, .badChangeset,
    ]
    for code in resets {
      let details = SessionFailure(code, "m").details
      #expect(details.action == .clientReset)
      #expect(details.shouldClientReset)
      #expect(!details.tryAgain)
    }
  }

  @Test(
    "a close code or status has its reaction",
    arguments: [
      (1000, .retry), (1001, .reportAndRetry), (1006, .refreshToken), (1009, .resetClient), (1011, .retry),
      (4001, .refreshToken), (4002, .logOut), (4003, .refreshLocation), (4404, .retry), (4405, .stop),
      (4999, .reportAndRetry),
    ] as [(UInt16, ConnectionReaction)])
  func closeCodes(code: UInt16, reaction: ConnectionReaction) {
    #expect(ConnectionReaction(closeCode: code) == reaction)
  }

  @Test(
    "an HTTP status has its reaction",
    arguments: [
      (200, .stop), (301, .refreshLocation), (308, .refreshLocation), (302, .retry), (400, .stop), (401, .refreshToken),
      (403, .logOut), (404, .stop), (500, .retry), (502, .retry), (503, .retry), (599, .retry),
    ] as [(Int, ConnectionReaction)])
  func statuses(status: Int, reaction: ConnectionReaction) {
    #expect(ConnectionReaction(httpStatus: status) == reaction)
  }

  @Test("actions read back from their texts, unknown ones are kept")
  func actions() {
    for text in [
      "ProtocolViolation", "ApplicationBug", "Warning", "Transient", "DeleteRealm", "ClientReset",
      "ClientResetNoRecovery", "MigrateToFLX", "RevertToPBS", "MigrateSchema", "RefreshUser", "RefreshLocation",
      "LogOutUser", "Dance",
    ] {
      #expect(ErrorAction(text: text).text == text)
    }
    #expect(ErrorAction(text: "Dance") == .other("Dance"))
  }
}
