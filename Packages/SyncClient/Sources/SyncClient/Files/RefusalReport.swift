import ChangesetOT
import Foundation
import RecordStore
import SyncProtocol

/// The report of a refused write, as a file keeps it in JSON until the application has been given it.
struct RefusalReport: Codable, Hashable {
  /// One object whose change was undone.
  struct Rejection: Codable, Hashable {
    var className: String
    var primaryKey: String
    var reason: String
  }

  var message: String
  var rejectedClientVersion: UInt64
  /// The version that undoes the write; nil when the server named none.
  var serverVersion: UInt64?
  var rejections: [Rejection]

  /// The report of a failure; nil for one that is about something else.
  init?(_ failure: SyncFailure) {
    guard let write = failure.compensation else { return nil }
    self.init(write, message: failure.message)
  }

  /// The report of an undone write.
  init(_ write: CompensatingWrite, message: String = "writes that are not allowed were undone before a reset") {
    self.message = message
    rejectedClientVersion = write.rejectedClientVersion.rawValue
    serverVersion = write.serverVersion?.rawValue
    rejections = write.rejections.map {
      Rejection(className: $0.className, primaryKey: $0.primaryKey, reason: $0.reason)
    }
  }

  /// The report that a file keeps.
  ///
  /// - Throws: `DecodingError` for bytes of another format.
  init(decoding bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

  /// The report as a file keeps it; equal for equal reports.
  func pending() throws -> PendingReport {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return PendingReport(
      clientVersion: ClientVersion(rejectedClientVersion), content: Array(try encoder.encode(self)))
  }

  /// The failure as the server told it.
  var failure: SyncFailure {
    let write = CompensatingWrite(
      serverVersion: serverVersion.map { ServerVersion($0) },
      rejectedClientVersion: ClientVersion(rejectedClientVersion),
      rejections: rejections.map { .init(reason: $0.reason, className: $0.className, primaryKey: $0.primaryKey) })
    return SyncFailure(
      origin: .server, code: .compensatingWrite, message: message, action: .warning, compensation: write)
  }
}
