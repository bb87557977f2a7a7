import RecordStore
import SyncProtocol
import Testing

@testable import SyncClient

struct ResetPlanTests {
  private func failure(_ code: ProtocolErrorCode, _ action: ErrorAction = .clientReset) -> SyncFailure {
    SyncFailure(origin: .server, code: code, message: "", action: action, isFatal: true)
  }

  @Test("each mode, reason and history of attempts has its step")
  func steps() {
    typealias Row = (ResetPolicy.Way, ProtocolErrorCode, ErrorAction, ClientReset.Mode?, ResetPlan.Step)
    let rows: [Row] = [
      (.manual, .badServerVersion, .clientReset, nil, .manual),
      (.manual, .writeNotAllowed, .clientReset, nil, .manual),
      (.discard, .badServerVersion, .clientReset, nil, .automatic(.discard)),
      (.discard, .badChangeset, .clientReset, .discard, .manual),
      (.recover, .badServerVersion, .clientReset, nil, .automatic(.recover)),
      (.recover, .badServerVersion, .clientResetNoRecovery, nil, .manual),
      (.recover, .badChangeset, .clientReset, nil, .automatic(.recover)),
      (.recover, .badChangeset, .clientReset, .recover, .manual),
      (.recover, .divergingHistories, .clientReset, .recover, .automatic(.recover)),
      (.recover, .writeNotAllowed, .clientReset, nil, .automatic(.discard)),
      (.recoverOrDiscard, .clientFileExpired, .clientReset, nil, .automatic(.recover)),
      (.recoverOrDiscard, .clientFileExpired, .clientResetNoRecovery, nil, .automatic(.discard)),
      (.recoverOrDiscard, .badChangeset, .clientReset, .recover, .automatic(.discard)),
      (.recoverOrDiscard, .badChangeset, .clientResetNoRecovery, .discard, .manual),
    ]
    for (way, code, action, refused, step) in rows {
      let memory = ResetPlan.Memory(attempts: 0, refused: refused)
      let found = ResetPlan.step(for: failure(code, action), way: way, memory: memory)
      #expect(found == step, "\(way) \(code) \(action) after \(refused.map { "\($0)" } ?? "nothing")")
    }
  }

  @Test("lost, refused and expired histories are told apart")
  func reasons() {
    for code in [ProtocolErrorCode.badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories] {
      #expect(ResetPlan.serverForgot(failure(code)))
      #expect(!ResetPlan.isAboutUploads(failure(code)))
    }
    #expect(!ResetPlan.serverForgot(failure(.clientFileExpired)))
    #expect(!ResetPlan.isAboutUploads(failure(.clientFileExpired)))
    #expect(!ResetPlan.serverForgot(failure(.badChangeset)))
    #expect(ResetPlan.isAboutUploads(failure(.badChangeset)))
  }

  @Test("the first attempts follow at once, later ones after ever longer, at most five minutes")
  func delays() {
    #expect(
      (0..<12).map { ResetPlan.delay(attempts: $0).components.seconds } == [
        0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300,
      ])
  }
}
