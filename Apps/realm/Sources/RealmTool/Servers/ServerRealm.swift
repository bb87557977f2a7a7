import CommandLineKit
import Dispatch
import Foundation
import ObjectStore
import RecordStore
import SyncClient
import Synchronization

/// A realm of a server in a file here, which a session keeps in step. Needs no model classes. Safe from any thread.
final class ServerRealm: Sendable {
  let file: RealmFile
  let session: SyncSession

  /// Opens the realm; nothing is awaited.
  ///
  /// - Parameter path: the file here, which is made if it is missing.
  /// - Throws: `CommandFailure` when the file cannot be opened.
  init(_ location: ServerLocation, for user: SyncUser, at path: String) throws {
    let configuration = try Self.configuration(location, for: user, at: path)
    let queue = DispatchQueue(label: "realm.server")
    let opened = try RealmTool.failing("cannot open \(location.text)") {
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        return (realm.file, realm.syncSession)
      }
    }
    guard let session = opened.1 else {
      throw CommandFailure("cannot open \(location.text): it has no session", code: "sync")
    }
    (file, self.session) = (opened.0, session)
  }

  /// The configuration of a realm of a server with its file at a path.
  static func configuration(
    _ location: ServerLocation, for user: SyncUser, at path: String
  ) throws -> Realm.Configuration {
    var configuration = user.configuration(realmURL: location.realm, fullSynchronization: true)
    configuration.fileURL = URL(fileURLWithPath: path)
    configuration.objectTypes = []
    return configuration
  }

  /// Returns when everything that is on the server is here.
  ///
  /// - Parameter isPatient: whether a server that cannot be reached is waited for.
  /// - Throws: `CommandFailure` when the session stops, or after Ctrl-C.
  func download(_ line: ProgressLine, isPatient: Bool = false) async throws {
    let token = session.addProgressNotification(for: .download, mode: .reportIndefinitely) { progress in
      line.update("downloading", bytes: progress.transferredBytes, of: progress.transferrableBytes)
    }
    defer { withExtendedLifetime(token) {} }
    try await wait(isPatient) { self.session.waitForDownload($0) }
  }

  /// Returns when everything that was committed here is on the server.
  func upload(_ line: ProgressLine) async throws {
    let token = session.addProgressNotification(for: .upload, mode: .reportIndefinitely) { progress in
      line.update("uploading", bytes: progress.transferredBytes, of: progress.transferrableBytes)
    }
    defer { withExtendedLifetime(token) {} }
    try await wait(false) { self.session.waitForUpload($0) }
  }

  private func wait(
    _ isPatient: Bool, _ begin: (@escaping @Sendable (Result<Void, SyncError>) -> Void) -> Void
  ) async throws {
    let outcome = WaitOutcome()
    begin { outcome.finish($0) }
    while true {
      if let result = outcome.result { return try result.mapError(Self.failure).get() }
      try Interruption.check()
      let status = session.status
      if let error = status.lastError, error.isFatal || (!isPatient && status.connection == .disconnected) {
        throw Self.failure(error)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  static func failure(_ error: SyncError) -> CommandFailure {
    let isUntrusted = error.code == .tlsHandshakeFailed
    return CommandFailure(
      error.message, remedy: isUntrusted ? error.remedy + "; '--ca FILE' names its authority" : error.remedy,
      code: isUntrusted ? "untrusted" : "sync")
  }

  /// Ends the session.
  func close() { session.close() }
}

/// The result of a wait, told by another thread.
private final class WaitOutcome: Sendable {
  private let state = Mutex<Result<Void, SyncError>?>(nil)
  var result: Result<Void, SyncError>? { state.withLock { $0 } }
  func finish(_ result: Result<Void, SyncError>) { state.withLock { $0 = result } }
}
