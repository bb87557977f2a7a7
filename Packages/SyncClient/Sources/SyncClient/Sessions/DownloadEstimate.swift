import SyncProtocol

/// The bytes that are left to download, for servers that tell bytes and for those that tell the part that is done.
struct DownloadEstimate {
  /// The bytes that were here when nothing was left.
  private var start = 0

  /// The bytes that are left, by the account of a DOWNLOAD; 0 means that none are.
  ///
  /// Of a part that is done, the rest is taken to be in proportion to what came; it is 1 before anything came.
  ///
  /// - Parameter downloaded: all bytes that were downloaded.
  mutating func bytes(_ remaining: DownloadRemaining, downloaded: Int) -> Int {
    let rest: Int
    switch remaining {
    case .bytes(let bytes): rest = Int(clamping: bytes)
    case .fraction(let done) where done >= 1: rest = 0
    case .fraction(let done):
      let came = Double(max(downloaded - start, 0))
      rest = done > 0 ? max(1, Int(exactly: (came * (1 - done) / done).rounded()) ?? .max) : 1
    }
    if rest == 0 { start = downloaded }
    return rest
  }
}
