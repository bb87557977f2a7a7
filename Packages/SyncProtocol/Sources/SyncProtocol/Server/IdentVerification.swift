import ChangesetOT

/// The checks of IDENT, as pure functions: whether a client file may resume at the position that it claims.
public enum IdentVerification {
  /// The error for the client; nil when it may go on. The checks run in the order of `Docs/Protocol.md`.
  ///
  /// - Parameters:
  ///   - claim: the client's IDENT.
  ///   - record: the record of that file ident; nil when it was never allocated.
  ///   - history: the server's own history.
  ///   - untold: the undone writes of the file that the client has not acknowledged.
  public static func failure(
    claim: ClientIdentMessage, record: ClientFileRecord?, history: ServerHistoryState, untold: [CompensatingWrite] = []
  ) -> SessionFailure? {
    guard var failure = check(claim: claim, record: record, history: history) else { return nil }
    // The server has integrated nothing of an unknown file.
    let isKnown = record.map { $0.salt != 0 && $0.salt == claim.file.salt } ?? false
    failure.details.integratedClientVersion = isKnown ? record?.upload.client ?? .zero : .zero
    if isKnown { failure.details.untold = untold }
    return failure
  }

  /// Whether the client knows of more than the server has. Its ident is then given up: the client continues under another
  /// ident and does its changes again, so no upload under this ident may be integrated any more.
  ///
  /// A delayed IDENT of an older connection never gives up an ident: the server has everything that a client once knew,
  /// unless it lost data.
  public static func isGivenUp(
    claim: ClientIdentMessage, record: ClientFileRecord?, history: ServerHistoryState
  ) -> Bool {
    guard let record, record.salt != 0, record.salt == claim.file.salt, !record.isExpired else { return false }
    return claim.download.client > record.upload.client || claim.latestServerVersion.version > history.current.version
  }

  private static func check(
    claim: ClientIdentMessage, record: ClientFileRecord?, history: ServerHistoryState
  ) -> SessionFailure? {
    let scan = claim.download
    let latest = claim.latestServerVersion
    let current = history.current.version
    if latest.version > current {
      return SessionFailure(
        .badServerVersion,
        "the client knows server version \(latest.version.rawValue), the server is at \(current.rawValue)")
    }
    guard let record else {
      return SessionFailure(.badClientFileIdent, "file ident \(claim.file.ident.rawValue) was never given out here")
    }
    if record.salt == 0 || record.salt != claim.file.salt {
      return SessionFailure(.divergingHistories, "the salt does not belong to file ident \(claim.file.ident.rawValue)")
    }
    if scan.server < record.upload.server {
      return SessionFailure(
        .badServerVersion,
        "the client resumes at \(scan.server.rawValue), below what it acknowledged (\(record.upload.server.rawValue))")
    }
    if record.isExpired {
      return SessionFailure(.clientFileExpired, "the client was away longer than the server keeps history for it")
    }
    if scan.server > current {
      return SessionFailure(
        .badServerVersion, "the client resumes at \(scan.server.rawValue), the server is at \(current.rawValue)")
    }
    // A client with a part of the state has heard of its version; others are at that position with an earlier state.
    let isWithin = record.canResumeBootstrap && latest.version >= record.bootstrap
    if scan.server != .zero, scan.server < record.bootstrap, !isWithin {
      return SessionFailure(
        .clientFileExpired, "the first download was interrupted and cannot go on at \(scan.server.rawValue)")
    }
    let isBootstrapping = scan.server < record.bootstrap || scan.server == .zero && record.upload == .zero
    if scan.server < history.base, !(isBootstrapping && history.canBootstrap) {
      return SessionFailure(.clientFileExpired, "history before \(history.base.rawValue) is no longer kept")
    }
    if scan.client > record.upload.client {
      return SessionFailure(
        .badClientVersion,
        "the client says version \(scan.client.rawValue) is integrated, the server has \(record.upload.client.rawValue)"
      )
    }
    if scan.server == .zero, scan.client != .zero {
      return SessionFailure(.badClientVersion, "nothing is downloaded, yet something is integrated")
    }
    if latest.version < scan.server {
      return SessionFailure(.badServerVersion, "the latest server version is below the download cursor")
    }
    if history.saltOfClaim != latest.salt {
      return SessionFailure(
        .divergingHistories, "server version \(latest.version.rawValue) of the client belongs to another history")
    }
    if record.kind != .regular {
      return SessionFailure(
        .badClientFileIdent, "file ident \(claim.file.ident.rawValue) belongs to another kind of file")
    }
    return nil
  }
}
