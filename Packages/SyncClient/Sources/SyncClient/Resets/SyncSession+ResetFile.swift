import RecordStore
import SyncProtocol

/// The work of a reset on the session's file, in its queue; the machine gets the answers on the loop.
extension SyncSession {
  func makeFreshFile(_ attempt: AttemptIdent) {
    guard let file = file as? any ResettableFile else { return }
    work {
      try file.makeFresh()
    } then: { session, result in
      switch result {
      case .success(let fresh):
        guard session.reset.attempt?.ident == attempt else { return }
        session.resetParts.fresh = fresh
        session.feedReset { $0.freshFileMade(attempt) }
      case .failure(let error): session.feedReset { $0.fileFailed(attempt, message: "\(error)") }
      }
    }
  }

  func readIncarnations(_ attempt: AttemptIdent) {
    guard let file = file as? any ResettableFile else { return }
    work {
      try file.incarnations()
    } then: { session, result in
      switch result {
      case .success(let incarnations):
        let socket = session.resetParts.connection?.socketNumber
        session.feedReset { $0.incarnationsRead(attempt, incarnations, on: socket) }
      case .failure(let error): session.feedReset { $0.fileFailed(attempt, message: "\(error)") }
      }
    }
  }

  func takeOver(_ attempt: AttemptIdent, _ clientReset: ClientReset, _ untold: [CompensatingWrite]) {
    guard let file = file as? any ResettableFile, let fresh = resetParts.fresh, let run = reset.attempt else { return }
    let (around, keepsBackup) = (policy.around, policy.keepsBackup)
    work {
      let after = around?()
      let backup = run.backup ?? (keepsBackup ? file.backupPath() : nil)
      if let backup { try file.writeBackup(to: backup) }
      var path: String?
      // The lost changes are on disk before they leave the file.
      let outcome = try file.reset(to: fresh, clientReset, untold: untold) { outcome in
        if !outcome.lost.isEmpty { path = try file.export(outcome.lost, because: run.failure.description) }
      }
      file.removeFresh()
      after?()
      return (outcome, path, backup)
    } then: { session, result in
      switch result {
      case .success((let outcome, let path, let backup)):
        session.change { $0.backupPath = backup }
        session.feedReset {
          $0.takenOver(attempt, recovered: outcome.recovered, lost: outcome.lost.count, listedIn: path)
        }
      case .failure(let error): session.feedReset { $0.fileFailed(attempt, message: "\(error)") }
      }
    }
  }
}
