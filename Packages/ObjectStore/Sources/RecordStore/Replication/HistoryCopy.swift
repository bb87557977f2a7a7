import ChangesetOT
import Foundation
import StorageEngine

/// The treatment of a file's history when the file is copied.
package enum HistoryCopy: Hashable, Sendable {
  /// The copy has the same history.
  case kept
  /// The history is left out: the copy is a local realm.
  case dropped
  /// The copy goes on from where the file is in step with its server, as a client file of its own.
  case continued
  /// The copy has yet to send everything that it holds, to a realm that need not be the file's.
  case begunAnew
}

extension RealmFile {
  /// Writes a compact copy of the latest version to a new file, which is there only when it is complete.
  ///
  /// - Parameter running: a write transaction on this file. The copy holds what it has done so far, as a transaction of its
  ///   own.
  /// - Throws: ``RecordStoreError``: `fileExists` when there is a file; `fail` when the history is to be continued, and holds
  ///   changes that the server has not acknowledged; or when the copy cannot be written.
  package func writeCopy(
    toPath path: String, encryptionKey: [UInt8]?, history: HistoryCopy, running: WriteSession? = nil
  ) throws {
    if history == .continued { try checkThatNothingIsPending(URL(fileURLWithPath: path), running) }
    guard history != .kept || running != nil, !FileManager.default.fileExists(atPath: path) else {
      return try writeCopy(toPath: path, encryptionKey: encryptionKey)
    }
    let draft = "\(path).draft-\(UUID().uuidString)"
    defer {
      for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: draft + suffix) }
    }
    try writeCopy(toPath: draft, encryptionKey: encryptionKey)
    // The draft is thrown away; only its copy must be durable.
    let copy = try RealmFile.open(
      .file(path: draft), options: Options(isDurable: false, createsIfMissing: false, encryptionKey: encryptionKey))
    if let running {
      try copy.write { session in
        try StateTransfer(source: running.writer.readView, target: session.writer, keepsUnresolved: true).transferAll()
      }
    }
    if history != .kept { try copy.rewriteHistory(history) }
    try copy.writeCopy(toPath: path, encryptionKey: encryptionKey)
  }

  private func checkThatNothingIsPending(_ url: URL, _ running: WriteSession?) throws {
    let isWriting = running?.writer.recorder.map { !$0.isEmpty } ?? false
    let count = try ClientHistory(self).pendingCount() + (isWriting ? 1 : 0)
    guard count > 0 else { return }
    throw RecordStoreError(
      .fail,
      "\(count) \(count == 1 ? "transaction has" : "transactions have") not been acknowledged by the server, and would "
        + "be lost to the copy. Wait for the upload, then copy.", fileURL: url)
  }

  private func rewriteHistory(_ history: HistoryCopy) throws {
    try write(isRecorded: false) { session in
      let transaction = session.transaction
      session.rewritesHistory = true
      for name in [ClientLog.entries, ClientLog.reciprocals] { try transaction.log(name).delete(through: .max) }
      var state = ClientLog.State()
      if history == .continued {
        let progress = try ClientLog.state(in: transaction).progress
        // Of the client file that the copy becomes, the server has nothing yet.
        state.progress.latestServerVersion = progress.latestServerVersion
        state.progress.download = DownloadCursor(server: progress.download.server, client: .zero)
      }
      try ClientLog.setState(state, in: transaction)
      try SubscriptionSets.dropBootstrap(in: transaction)
      // A copy that goes on holds what its set in force selects; any other begins without subscriptions.
      if history != .continued { try SubscriptionSets.remove(from: transaction) }
      if history == .dropped {
        try HistoryRole.remove(from: transaction)
      } else {
        try HistoryRole.client.store(in: transaction)
        if history == .begunAnew { try ProvisionalKeys(session).makeProvisional() }
      }
    }
    guard history == .begunAnew else { return }
    var synthesis = try StateSynthesis(self)
    while let piece = try synthesis.next() {
      try write(isRecorded: false) { try ClientLog.appendLocal(piece, at: options.clock(), to: $0) }
    }
  }
}
