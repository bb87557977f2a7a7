import AuthClient
import Foundation
import SyncProtocol

/// Ends of logins on this device.
extension SyncUser {
  /// Logs the user out as the asynchronous form does, in the background, and reports nothing.
  public func logOut() {
    Task { try? await logOut() }
  }

  /// Logs the user out on this device. Does nothing for a user who is not logged in.
  ///
  /// The login is forgotten when this returns. Changes that were not uploaded go on being uploaded in the background for as
  /// long as the program runs; then the server is told. For a user of `SyncUser.logIn` the files of the user's realms are
  /// removed when the program is launched next, as documented, and **changes that were not uploaded by then are removed
  /// with them**; ``logOutAfterUpload()`` makes sure that there are none. The user of an ``App`` is kept in
  /// `App.allUsers` with the files, and goes on after the next login; only an anonymous user is removed.
  ///
  /// - Throws: ``SyncAuthError`` when the file of users cannot be written; the user stays logged in.
  public func logOut() async throws {
    guard let user = auth.user(userId) else { return }
    let isKept = manager.app != nil && !user.isAnonymous
    do {
      try await leave(keepingRecord: isKept, removingFiles: !isKept)
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// Logs the user out once everything that was committed before the call is durable on the server.
  ///
  /// - Throws: ``SyncError`` when a session stops before that, `CancellationError` when the task is cancelled: the user is
  ///   still logged in then, and nothing is lost. Waits for a connection.
  public func logOutAfterUpload() async throws {
    for session in allSessions where session.state != .inactive { try await session.waitForUpload() }
    try await logOut()
  }

  /// Forgets the login, lets the sessions upload what they have, closes them and tells the server.
  func leave(keepingRecord: Bool, removingFiles: Bool) async throws {
    let sessions = allSessions
    if removingFiles { try manager.leftFiles.add(folder) }
    try auth.beginLogOut(userId, keepsRecord: keepingRecord)
    let (auth, userId) = (auth, userId)
    Task {
      await withTaskGroup(of: Void.self) { group in
        for session in sessions { group.addTask { await session.uploadAndClose() } }
      }
      await auth.endLogOut(userId)
    }
  }
}

extension SyncSession {
  /// Uploads what the file has, and ends the session for good. A session that is suspended or has stopped is ended at once.
  func uploadAndClose() async {
    if state == .active, await hasPendingUploads() { try? await waitForUpload() }
    close()
  }

  /// Counts the local changesets without an acknowledgement.
  private func hasPendingUploads() async -> Bool {
    await withCheckedContinuation { continuation in
      scheduler.execute { [self] in
        recount { session in continuation.resume(returning: session.status.pendingUploads > 0) }
      }
    }
  }
}
