import RecordStore
import SyncProtocol

/// The answer to a request for a reset: by the application, or at once in some mode. `ResetMachine` decides
/// everything after it. Pure.
struct ResetPlan: Hashable, Sendable {
  /// The answer to a request for a reset.
  enum Step: Hashable, Sendable {
    /// The application must decide.
    case manual
    /// The file is reset in this mode.
    case automatic(ClientReset.Mode)
  }

  /// The memory of earlier resets, kept until everything is uploaded again.
  struct Memory: Hashable, Sendable {
    /// Attempts since data flowed last.
    var attempts = 0
    /// The mode of the last reset whose reason was an upload.
    var refused: ClientReset.Mode?
  }

  /// The step that answers a request.
  ///
  /// - Parameter memory: of earlier resets; an upload that is refused again after it was recovered is not recovered
  ///   again.
  static func step(for failure: SyncFailure, way: ResetPolicy.Way, memory: Memory) -> Step {
    if way == .manual { return .manual }
    // Changes that the user was not allowed to make would only be refused again.
    if failure.code == .writeNotAllowed { return .automatic(.discard) }
    let refused = isAboutUploads(failure) ? memory.refused : nil
    let mayRecover = failure.action != .clientResetNoRecovery && refused != .recover
    switch way {
    case .manual: return .manual
    case .discard: return refused == .discard ? .manual : .automatic(.discard)
    case .recover: return mayRecover ? .automatic(.recover) : .manual
    case .recoverOrDiscard:
      if mayRecover { return .automatic(.recover) }
      return refused == .discard ? .manual : .automatic(.discard)
    }
  }

  /// Whether the reason is an upload, which would come again after a recovery.
  static func isAboutUploads(_ failure: SyncFailure) -> Bool {
    switch failure.code {
    case .badClientFileIdent?, .badServerVersion?, .badClientVersion?, .divergingHistories?, .clientFileExpired?,
      .badClientFile?:
      false
    default: true
    }
  }

  /// Whether the server has forgotten changes that it once acknowledged.
  static func serverForgot(_ failure: SyncFailure) -> Bool {
    switch failure.code {
    case .badClientFileIdent?, .badServerVersion?, .badClientVersion?, .divergingHistories?: true
    default: false
    }
  }

  /// The delay before an attempt: none for the first two, then doubling up to five minutes.
  static func delay(attempts: Int) -> Duration {
    attempts < 2 ? .zero : .seconds(min(300, 1 << min(attempts - 1, 9)))
  }
}
