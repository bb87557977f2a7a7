import ChangesetOT
import Concurrency
import ObjectStore
import SyncProtocol

/// After the download of a reset: what the server has of this file, under all the idents that it had.
///
/// It must be the server that the download came from. Restoring a backup takes a restart, which no connection survives: so
/// everything is asked on the one on which the download ended.
extension SyncSession {
  func beginInquiry(_ number: UInt64) {
    guard let file = file as? any ResettableFile else { return }
    work {
      Result { try file.incarnations() }
    } then: { session, result in
      guard let run = session.resetRun, run.number == number else { return }
      switch result {
      case .success(let incarnations):
        session.resetRun?.inquiry = ResetInquiry(isTold: run.failure.integrated != nil, incarnations)
        session.inquire(number)
      case .failure(let error): session.resetFailed(error)
      }
    }
  }

  private func inquire(_ number: UInt64) {
    guard let run = resetRun, run.number == number, let inquiry = run.inquiry, let fresh = run.fresh else { return }
    guard let next = inquiry.next else {
      guard fresh.connection.socketNumber == fresh.socket else { return restartReset() }
      return takeOver(fresh.file, integrated: inquiry.integrated)
    }
    makeChild(IdentProbe(ident: next.file)).waitForDownload { [weak self] result in
      guard let self, resetRun?.number == number else { return }
      let answer: ResetInquiry.Answer
      switch result {
      // No server that tells what it has lets an inquiry in.
      case .success: answer = .silent
      case .failure(let error):
        guard let said = error.cause.flatMap(ResetInquiry.answer) else { return childFailed(error) }
        answer = said
      }
      endChild()
      resetRun?.inquiry?.answered(answer)
      inquire(number)
    }
  }

  /// A session of the reset that only downloads.
  ///
  /// It has a queue of its own: the application's writes do not wait for the download.
  func makeChild(_ file: any SyncedFile) -> SyncSession {
    let child = SyncSession(
      file: file, target: target, queue: SerialQueue("reset", queue.number), environment: environment, isForReset: true,
      connectionProvider: connectionProvider)
    resetRun?.child = child
    child.start()
    return child
  }

  func endChild() {
    resetRun?.child?.close()
    resetRun?.child = nil
  }
}
