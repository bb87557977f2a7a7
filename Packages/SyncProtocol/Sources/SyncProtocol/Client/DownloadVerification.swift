import ChangesetOT

/// The checks of DOWNLOAD, as pure functions; a violation ends the connection.
public enum DownloadVerification {
  /// Whether the server has lost acknowledged changesets, as after a restore, although its versions have not gone back. No
  /// violation: a client reset brings the file and the server together.
  static func isOfAnEarlierState(_ message: DownloadMessage, since current: SyncProgress) -> Bool {
    message.progress.upload.client < current.upload.client
      && message.progress.latestServerVersion.version >= current.latestServerVersion.version
  }

  /// The rule that a DOWNLOAD breaks; nil when there is none.
  ///
  /// - Parameters:
  ///   - current: the progress of the previous DOWNLOAD, or the stored one.
  ///   - newest: the newest version of the client file.
  ///   - file: the client file's own ident.
  ///   - flavour: in full sync server versions rise strictly, in flexible sync weakly.
  /// - Complexity: O(*n*) in the number of entries.
  public static func violation(
    in message: DownloadMessage, since current: SyncProgress, newest: ClientVersion, file: FileIdent,
    flavour: SyncFlavour
  ) -> String? {
    let next = message.progress
    let rules: [(Bool, String)] = [
      (next.latestServerVersion.version >= current.latestServerVersion.version, "latest server version went back"),
      (next.upload.client >= current.upload.client, "upload client version went back"),
      (next.download.server >= current.download.server, "download server version went back"),
      (next.download.client >= current.download.client, "download client version went back"),
      (next.upload.client <= newest, "upload client version is beyond the file's newest"),
      (next.download.server <= next.latestServerVersion.version, "download is beyond the latest server version"),
      (next.download.client <= next.upload.client, "download client version is beyond the upload's"),
      (next.download.server >= next.upload.server, "download server version is below the upload's"),
      (flavour == .full || message.batch != nil, "the batch is absent"),
    ]
    if let broken = rules.first(where: { !$0.0 }) { return broken.1 }
    return entryViolation(message, since: current, file: file, flavour: flavour)
  }

  private static func entryViolation(
    _ message: DownloadMessage, since current: SyncProgress, file: FileIdent, flavour: SyncFlavour
  ) -> String? {
    var last = current.download
    for entry in message.entries {
      let isAhead = flavour == .full ? entry.cursor.server > last.server : entry.cursor.server >= last.server
      guard isAhead, entry.cursor.server != .zero, entry.cursor.server <= message.progress.download.server else {
        return "entry with server version \(entry.cursor.server.rawValue) is out of order"
      }
      guard entry.cursor.client >= last.client, entry.cursor.client <= message.progress.download.client else {
        return "entry with client version \(entry.cursor.client.rawValue) is out of order"
      }
      guard entry.origin != .none, entry.origin != file else {
        return "entry has origin file ident \(entry.origin.rawValue)"
      }
      last = entry.cursor
    }
    return nil
  }
}
