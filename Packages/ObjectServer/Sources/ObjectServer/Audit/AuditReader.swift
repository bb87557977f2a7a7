import Foundation
public import Telemetry

/// Reads and verifies the audit log of a data directory, also while a server writes it. Changes nothing.
public struct AuditReader: Sendable {
  private let folder: String

  /// The log in a folder. Accesses no file.
  public init(folder: String) { self.folder = folder }

  /// A choice of entries.
  public struct Filter: Sendable {
    /// The kind of event, or the beginning of kinds that ends with a dot: `admin.`; nil for all.
    public var event: String?
    /// The user who acted, or to whom it was done; nil for everybody.
    public var user: String?
    /// Only refusals.
    public var refusalsOnly = false
    /// The time of the first entry.
    public var since: WallTime?
    /// The number below which entries are answered; nil for the newest.
    public var before: UInt64?
    /// The most entries; the newest are answered.
    public var limit = 100

    /// All entries, at most a hundred.
    public init() {}

    func admits(_ entry: AuditEntry) -> Bool {
      if let event, entry.event != event, !(event.hasSuffix(".") && entry.event.hasPrefix(event)) { return false }
      if let user, entry.actor != user, entry.subject != user { return false }
      if refusalsOnly, entry.outcome == "ok" { return false }
      if let since, entry.time < since { return false }
      if let before, entry.number >= before { return false }
      return true
    }
  }

  /// The newest entries of a choice, oldest first. Lines that are no entries are passed over; ``verify(expectedHead:)`` tells.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when a file cannot be read.
  /// - Complexity: O(bytes of the files that are looked at), from the newest one on until there are enough.
  public func entries(_ filter: Filter = Filter()) throws(ServerError) -> [AuditEntry] {
    var found: [AuditEntry] = []
    for number in AuditFiles.numbers(in: folder).reversed() {
      for line in try AuditFiles.lines(of: number, in: folder).reversed() {
        guard found.count < filter.limit else { return found.reversed() }
        guard let entry = AuditLine(line)?.entry, filter.admits(entry) else { continue }
        found.append(entry)
      }
    }
    return found.reversed()
  }

  /// The result of a verification.
  public struct Report: Sendable {
    /// The entries that were read.
    public var entries = 0
    /// The number of the oldest entry; more than 1 when older files were removed.
    public var first: UInt64?
    /// The hash of the newest entry.
    public var head = AuditEntry.noHash
    /// The places that are not as they were written, in order.
    public var problems: [String] = []
  }

  /// Checks every entry and that none is missing, from the oldest file that is kept to the newest.
  ///
  /// - Parameter expectedHead: a hash that was noted earlier: it must be there, so that nothing was cut off up to then.
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when a file cannot be read.
  /// - Complexity: O(bytes of the log).
  public func verify(expectedHead: String? = nil) throws(ServerError) -> Report {
    var report = Report()
    var previous: AuditLine?
    var isExpectedFound = expectedHead == nil
    for file in AuditFiles.numbers(in: folder) {
      for (index, line) in try AuditFiles.lines(of: file, in: folder).enumerated() {
        let place = "\(AuditFiles.name(file)), line \(index + 1)"
        guard let next = AuditLine(line) else {
          report.problems.append("\(place): the line is no entry")
          continue
        }
        report.entries += 1
        if !next.isWhole { report.problems.append("\(place): entry \(next.entry.number) was changed") }
        if let previous {
          if next.entry.number != previous.entry.number + 1 || next.previous != previous.hash {
            report.problems.append(
              "\(place): entry \(next.entry.number) does not follow entry \(previous.entry.number)")
          }
        } else {
          report.first = next.entry.number
          if next.entry.number == 1, next.previous != AuditEntry.noHash {
            report.problems.append("\(place): the first entry follows another")
          }
        }
        if next.hash == expectedHead { isExpectedFound = true }
        report.head = next.hash
        previous = next
      }
    }
    if !isExpectedFound { report.problems.append("there is no entry with the expected hash: entries were cut off") }
    return report
  }
}
