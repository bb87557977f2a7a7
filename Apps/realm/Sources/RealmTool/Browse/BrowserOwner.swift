import CommandLineKit
import Dispatch
import Foundation
import RecordStore
import SyncClient
import TerminalUI

/// Runs the browser over a realm file: the one place where its effects happen.
struct BrowserOwner: Sendable {
  let file: RealmFile
  /// The session that keeps the file in step with a server; nil for a local file.
  let session: SyncSession?

  /// Runs until the user quits, on a thread of its own.
  func run(title: String, isReadOnly: Bool) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(with: Result { try self.runHere(title: title, isReadOnly: isReadOnly) })
      }
    }
  }

  private func runHere(title: String, isReadOnly: Bool) throws {
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal()
    } catch let error as TerminalError {
      throw CommandFailure(
        error.message, remedy: "'realm query' and 'realm export' print objects without a screen", code: "noTerminal")
    }
    let runner = ProgramRunner(BrowserScreen(title: title, isReadOnly: isReadOnly), on: terminal)
    let mailbox = runner.mailbox
    // Objects are read on a thread of their own, so that the screen never waits for a query.
    let queue = DispatchQueue(label: "realm.browse")
    let source = BrowserSource(file: file)
    let changes = CoalescedSignal { mailbox.post(.changed) }
    let commits = try RealmTool.failing("cannot watch the realm") { try file.observeCommits { changes.raise() } }
    defer { commits.cancel() }
    let status = session?.observe { mailbox.post(.status(BrowserStatus($0))) }
    defer { withExtendedLifetime(status) {} }
    session?.onError { error, _ in mailbox.post(.failed(error.message)) }
    try runner.run { effect in
      if effect == .loadClasses { changes.lower() }
      queue.async {
        for message in source.perform(effect) { mailbox.post(message) }
      }
    }
  }
}

extension BrowserStatus {
  /// The state of a session in a few words.
  init(_ status: SyncStatus) {
    let mark = status.connection == .connected ? "●" : status.connection == .connecting ? "◌" : "○"
    text = "\(mark) \(status.summary)"
    guard let error = status.lastError, error.isFatal || status.connection == .disconnected else { return }
    text += ": \(error.message)"
    isProblem = true
  }
}
