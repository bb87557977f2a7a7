import Foundation
import SQLiteDatabase
import StorageEngine
import Telemetry

/// The limits of ``EmbeddedServer/vacuum(_:clock:progress:rewritten:isCancelled:)``.
public struct VacuumLimits: Hashable, Sendable {
  /// Files with a smaller unused share, 0 … 1, are not rewritten.
  public var minimumWaste = 0.25
  /// Files with fewer unused bytes are not rewritten.
  public var minimumBytes = 1 << 20
  /// The time after which no further file is begun; nil for none.
  public var duration: Duration?

  /// The limits above.
  public init() {}
}

/// The result of ``EmbeddedServer/vacuum(_:clock:progress:rewritten:isCancelled:)``.
public struct VacuumReport: Hashable, Sendable {
  /// The number of examined files.
  public var looked = 0
  /// The number of rewritten files.
  public var rewritten = 0
  /// The bytes of the rewritten files before.
  public var bytesBefore = 0
  /// The bytes of the rewritten files after.
  public var bytesAfter = 0
  /// Whether the run ended before the last file.
  public var isCutShort = false
}

extension EmbeddedServer {
  /// Gives space that files no longer use back to the disk, also while a server runs.
  ///
  /// One file at a time is rewritten; its realm can be read meanwhile, writes to it wait. The disk needs room for one more
  /// copy of the largest file.
  ///
  /// - Parameters:
  ///   - progress: called now and then with the bytes of the files that are done, and of all.
  ///   - rewritten: called after each file that was rewritten, with its size before and after.
  ///   - isCancelled: asked before each file; true ends the run.
  /// - Throws: ``ServerError/Code/vacuumFailure``, naming the file.
  public func vacuum(
    _ limits: VacuumLimits = VacuumLimits(), clock: any MonotonicClock = SystemMonotonicClock(),
    progress: (_ done: Int, _ known: Int) -> Void = { _, _ in },
    rewritten: (_ file: String, _ before: Int, _ after: Int) -> Void = { _, _, _ in },
    isCancelled: () -> Bool = { false }
  ) throws(ServerError) -> VacuumReport {
    try checkIsAlone("leave it to the servers: a copy of a realm is made anew from a checkpoint")
    try checkUsed()
    var report = VacuumReport()
    let start = clock.now
    let realms = layout.realmFiles()
    let known = realms.reduce(0) { $0 + FileCopies.size(layout.realms + "/" + $1) }
    var done = 0
    for name in realms {
      let size = FileCopies.size(layout.realms + "/" + name)
      defer { done += size }
      if isCancelled() || limits.duration.map({ clock.now - start >= $0 }) ?? false {
        report.isCutShort = true
        break
      }
      report.looked += 1
      let file = layout.realms + "/" + name
      do {
        guard try Self.isWorthwhile(file, limits) else { continue }
        let before = FileCopies.size(file)
        var configuration = StoreConfiguration()
        configuration.createsIfMissing = false
        try Store.open(.file(path: file), configuration: configuration).compact { share in
          progress(done + Int(share * Double(size)), known)
        }
        let after = FileCopies.size(file)
        report.rewritten += 1
        report.bytesBefore += before
        report.bytesAfter += after
        rewritten(file, before, after)
      } catch {
        guard FileManager.default.fileExists(atPath: file) else { continue }
        throw ServerError(
          .vacuumFailure, "\(file) cannot be rewritten",
          remedy: "check the free space of the disk; 'verify' tells whether the file is damaged", cause: error)
      }
    }
    return report
  }

  /// Whether enough pages of the file are unused. Nodes that wait for their deletion do not count: commits reuse them.
  private static func isWorthwhile(_ file: String, _ limits: VacuumLimits) throws -> Bool {
    let connection = try SQLiteConnection(path: file, mode: .readWrite)
    connection.setBusyTimeout(.seconds(30))
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    let size = try connection.integer("PRAGMA page_size") ?? 0
    let log = Int64(FileCopies.size(file + "-wal"))
    return Double(free * size + log) >= Double(pages * size + log) * limits.minimumWaste
      && free * size + log >= Int64(limits.minimumBytes)
  }

}
