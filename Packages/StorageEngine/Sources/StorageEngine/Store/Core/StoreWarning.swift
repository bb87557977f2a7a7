import Glibc

/// A warning that an old snapshot makes a store keep many versions, so that its file grows.
///
/// Given when ``threshold`` versions are kept for the oldest snapshot, and again at each tenfold. The remedy: end the
/// snapshot, which is the oldest frozen copy or live view in the process named, or bound the number of versions.
public struct StoreWarning: Sendable, CustomStringConvertible {
  /// Versions kept when the first warning is due.
  public static let threshold: UInt64 = 1000

  /// The location of the store.
  public let location: StoreLocation
  /// The oldest version that a snapshot needs.
  public let oldest: SnapshotVersion
  /// The latest version.
  public let latest: SnapshotVersion
  /// Whether the snapshot belongs to this process.
  public let isOwn: Bool

  /// Store, versions and remedy in one sentence.
  public var description: String {
    let place =
      switch location {
      case .file(let path): "'\(path)'"
      case .inMemory(let name): "the store '\(name)' in memory"
      }
    return "\(place) keeps \(latest.rawValue - oldest.rawValue) old versions for a snapshot of "
      + (isOwn ? "this process" : "another process")
      + " and grows with each commit. Let go of frozen objects and refresh or close realms that are not in use."
  }

  static func print(_ warning: StoreWarning) {
    let line = Array("warning: \(warning)\n".utf8)
    line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
  }
}
