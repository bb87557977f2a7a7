import RecordStore
import SyncProtocol

/// Decides what is to be done when the server asks for a reset. Pure.
struct ResetPlan: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// The application must decide.
    case manual
    case automatic(ClientReset.Mode)
  }

  /// What a session remembers of its resets until everything is uploaded again.
  struct Memory: Hashable, Sendable {
    /// Resets since something went well.
    var attempts = 0
    /// The mode of the last one, when an upload was the reason.
    var refused: ClientReset.Mode?
  }

  /// What to do.
  ///
  /// - Parameter memory: of earlier resets; an upload that is refused again after it was recovered is not recovered again.
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

  /// Whether the reason is something that was uploaded, and would be uploaded again.
  static func isAboutUploads(_ failure: SyncFailure) -> Bool {
    switch failure.code {
    case .badClientFileIdent?, .badServerVersion?, .badClientVersion?, .divergingHistories?, .clientFileExpired?,
      .badClientFile?:
      false
    default: true
    }
  }

  /// Whether the server has forgotten what it once acknowledged.
  static func serverForgot(_ failure: SyncFailure) -> Bool {
    switch failure.code {
    case .badClientFileIdent?, .badServerVersion?, .badClientVersion?, .divergingHistories?: true
    default: false
    }
  }

  /// Seconds before the next attempt: none at first, then more and more.
  static func delay(attempts: Int) -> Duration {
    attempts < 2 ? .zero : .seconds(min(300, 1 << min(attempts - 1, 9)))
  }
}
