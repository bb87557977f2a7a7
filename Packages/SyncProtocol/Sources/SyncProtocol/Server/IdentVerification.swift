import ChangesetOT

/// Decides whether a client file may go on from where it says it is. Pure: the claim, what is recorded, and the verdict.
public enum IdentVerification {
  /// Why the client may not go on; nil when it may. The checks run in the order of the protocol.
  ///
  /// - Parameters:
  ///   - claim: the client's IDENT.
  ///   - record: what the server has of that file ident; nil when it never gave it out.
  ///   - history: the server's own history.
  public static func failure(
    claim: ClientIdentMessage, record: ClientFileRecord?, history: ServerHistoryState
  ) -> SessionFailure? {
    guard var failure = verdict(claim: claim, record: record, history: history) else { return nil }
    // Of a file that it does not know, the server has nothing.
    let isKnown = record.map { $0.salt != 0 && $0.salt == claim.file.salt } ?? false
    failure.details.integratedClientVersion = isKnown ? record?.upload.client ?? .zero : .zero
    return failure
  }

  /// Whether a client that holds this ident knows of more than the server has: then nothing but another ident lets it go on,
  /// and nothing that is still on its way under this one may be integrated, since the client does it again.
  ///
  /// An IDENT that was delayed on an older connection never says so: what a client knew once, the server has, unless it
  /// lost something.
  public static func isGivenUp(
    claim: ClientIdentMessage, record: ClientFileRecord?, history: ServerHistoryState
  ) -> Bool {
    guard let record, record.salt != 0, record.salt == claim.file.salt, !record.isExpired else { return false }
    return claim.download.client > record.upload.client || claim.latestServerVersion.version > history.current.version
  }

  private static func verdict(
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
    // Who has a part of the state has heard of its version. Who has not got to that point with an earlier one.
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
