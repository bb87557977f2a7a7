import ByteCoding
public import ChangesetOT
import StorageEngine

/// A report of the server about a refused upload that the application has not been given.
public struct PendingReport: Hashable, Sendable {
  /// The version of this file that was refused.
  public var clientVersion: ClientVersion
  /// The report, in a form of its owner's.
  public var content: [UInt8]

  /// A report.
  public init(clientVersion: ClientVersion, content: [UInt8]) {
    self.clientVersion = clientVersion
    self.content = content
  }
}

/// The reports of a file: kept in the commit that makes them true, so that a process that is killed before it gives them finds
/// them again. They are given in the order in which they were kept.
///
///     client version, content
enum PendingReports {
  private static let log = "pending reports"
  private static let reported = "reported"

  /// Keeps reports behind those that are kept already.
  static func keep(_ reports: [PendingReport], in transaction: WriteTransaction) throws {
    guard !reports.isEmpty else { return }
    let log = try transaction.log(log)
    for report in reports {
      var writer = ByteWriter()
      writer.writeVarint(report.clientVersion.rawValue)
      writer.writeBytes(report.content)
      try log.append(writer.bytes)
    }
  }

  /// Keeps reports that a server tells at a reset, without those that the application was given or will be given anyhow.
  static func keepUnknown(_ reports: [PendingReport], of file: RealmFile, in transaction: WriteTransaction) throws {
    var known = try lastReported(in: transaction)
    for (_, kept) in try all(of: file) { known = max(known, kept.clientVersion) }
    try keep(reports.filter { $0.clientVersion > known }, in: transaction)
  }

  /// The reports of a file with their positions, oldest first.
  static func all(of file: RealmFile) throws -> [(position: Int64, report: PendingReport)] {
    let log = file.store.log(log)
    guard let first = try log.firstPosition(), let last = try log.lastPosition() else { return [] }
    return try log.entries(in: first...last).map { entry in
      var reader = ByteReader(entry.content)
      let version = ClientVersion(try reader.readVarint())
      return (
        entry.position, PendingReport(clientVersion: version, content: try reader.readBytes(reader.remaining))
      )
    }
  }

  /// Drops the reports up to a position, and notes the version that was reported.
  static func given(_ version: ClientVersion, through position: Int64?, in transaction: WriteTransaction) throws {
    if let position { try transaction.log(log).delete(through: position) }
    guard try version > lastReported(in: transaction) else { return }
    var writer = ByteWriter()
    writer.writeVarint(version.rawValue)
    try transaction.setRootRecord(reported, writer.bytes)
  }

  /// The newest version whose refusal the application was given.
  private static func lastReported(in reader: any StorageReader) throws -> ClientVersion {
    guard let bytes = try reader.rootRecord(reported) else { return .zero }
    var reader = ByteReader(bytes)
    return ClientVersion(try reader.readVarint())
  }
}

extension ClientHistory {
  /// The reports that were kept by ``integrate(_:progress:reports:)`` or a reset and not given since, oldest first.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in their bytes.
  public func pendingReports() throws -> [PendingReport] {
    try translatingErrors { try PendingReports.all(of: file).map(\.report) }
  }

  /// Notes that the application was given a report, and drops it and those kept before it.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  /// - Complexity: O(*n*) in the bytes of the kept reports.
  public func reportGiven(_ report: PendingReport) throws {
    let kept = try translatingErrors { try PendingReports.all(of: file) }
    let position = kept.first { $0.report == report }?.position
    try file.write(isRecorded: false) { session in
      try PendingReports.given(report.clientVersion, through: position, in: session.transaction)
    }
  }
}
