import Foundation
public import Telemetry
import Synchronization

/// The audit log of a data directory: lines of JSON in the folder `audit`, each with the hash of the one before.
///
/// An entry is in the file when ``note(_:)`` returns, and so survives the death of the process; ``sync()`` makes it survive that
/// of the machine. A line that a dying process left half-written is cut off at the next start, and an entry says so. Changed,
/// removed and inserted lines are found by ``verify(expectedHead:)``. Safe from any thread; one process writes at a time.
///
///     let log = try AuditLog(folder: "/var/lib/openrealm/audit", clock: SystemWallClock())
///     log.note(AuditLog.Event("login", actor: "5f…", address: "192.0.2.7:4711"))
public final class AuditLog: Sendable {
  /// The bytes at which a new file is begun.
  public static let fileBytes = 16 << 20
  /// The most files that are kept; the oldest one is removed first.
  public static let maximumFiles = 64

  /// An entry without the parts that the log adds: number and time.
  public struct Event: Sendable {
    /// The kind of event.
    public var event: String
    /// The id of the user who acted.
    public var actor: String
    /// The object of the act.
    public var subject: String
    /// The address of the peer.
    public var address: String
    /// `ok`, or the code of the refusal.
    public var outcome: String
    /// Further facts.
    public var details: [AuditEntry.Detail]

    /// An event; what is not given is empty.
    public init(
      _ event: String, actor: String = "", subject: String = "", address: String = "", outcome: String = "ok",
      details: [AuditEntry.Detail] = []
    ) {
      self.event = event
      self.actor = actor
      self.subject = subject
      self.address = address
      self.outcome = outcome
      self.details = details
    }
  }

  private struct State {
    var file: Int32
    var fileNumber: Int
    var bytes: Int
    var number: UInt64
    var head: String
    var isDirty = false
    var failures = 0
  }

  private let folder: String
  private let clock: any WallClock
  private let fileLimit: Int
  private let state: Mutex<State>

  /// Opens the log in `folder`, which is made when needed, for writing.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when the folder cannot be read or written.
  public convenience init(folder: String, clock: any WallClock) throws(ServerError) {
    try self.init(folder: folder, clock: clock, fileLimit: Self.fileBytes)
  }

  init(folder: String, clock: any WallClock, fileLimit: Int) throws(ServerError) {
    self.folder = folder
    self.clock = clock
    self.fileLimit = fileLimit
    try PrivateFolder.make(folder)
    let number = AuditFiles.numbers(in: folder).last ?? 1
    let path = AuditFiles.path(number, in: folder)
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    var torn = 0, hasDamage = false
    var bytes = FileManager.default.contents(atPath: path) ?? Data()
    if let end = bytes.lastIndex(of: 10).map({ $0 + 1 }) ?? (bytes.isEmpty ? nil : 0), end < bytes.count {
      torn = bytes.count - end
      bytes = bytes.prefix(end)
      guard ftruncate(file, off_t(end)) == 0 else { throw Self.failure(path) }
    }
    var last: AuditLine?
    if let text = bytes.dropLast().split(separator: 10).last {
      last = AuditLine(Substring(decoding: text, as: UTF8.self))
      hasDamage = last == nil
    } else if number > 1 {
      last = try AuditFiles.lastLine(of: number - 1, in: folder)
    }
    state = Mutex(
      State(
        file: file, fileNumber: number, bytes: bytes.count, number: last?.entry.number ?? 0,
        head: last?.hash ?? AuditEntry.noHash))
    if torn > 0 { note(Event("audit.mended", details: [.init("bytes", String(torn))])) }
    if hasDamage { note(Event("audit.damaged", details: [.init("file", AuditFiles.name(number))])) }
  }

  deinit { close(state.withLock { $0.file }) }

  private static func failure(_ path: String) -> ServerError {
    ServerError(
      .dataDirectoryUnusable, "the audit log \(path) cannot be written: \(String(cString: strerror(errno)))",
      remedy: "check the permissions of the data directory and the free space of the disk")
  }

  /// Adds an entry.
  ///
  /// - Returns: false when it could not be written; a later entry says how many are missing.
  @discardableResult
  public func note(_ event: Event) -> Bool {
    let now = clock.wallTime
    return state.withLock { state in
      if state.bytes >= fileLimit { rotate(&state) }
      if state.failures > 0 {
        let missing = Event("audit.gap", details: [.init("entries", String(state.failures))])
        guard append(missing, now, &state) else {
          state.failures += 1
          return false
        }
        state.failures = 0
      }
      guard append(event, now, &state) else {
        state.failures += 1
        return false
      }
      return true
    }
  }

  private func append(_ event: Event, _ now: WallTime, _ state: inout State) -> Bool {
    let entry = AuditEntry(
      number: state.number + 1, time: now, event: event.event, actor: event.actor, subject: event.subject,
      address: event.address, outcome: event.outcome, details: event.details)
    let line = entry.line(after: state.head)
    let bytes = Array((line + "\n").utf8)
    guard write(state.file, bytes, bytes.count) == bytes.count else {
      // A part of the line may be there: removed, so that the next one begins a line.
      ftruncate(state.file, off_t(state.bytes))
      return false
    }
    state.number = entry.number
    // The line is of our own making and ends with its hash, 64 digits, a quote and a brace.
    state.head = String(line.dropLast(2).suffix(64))
    state.bytes += bytes.count
    state.isDirty = true
    return true
  }

  private func rotate(_ state: inout State) {
    let path = AuditFiles.path(state.fileNumber + 1, in: folder)
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    fdatasync(state.file)
    close(state.file)
    (state.file, state.bytes) = (file, 0)
    state.fileNumber += 1
    let old = AuditFiles.numbers(in: folder).dropLast(Self.maximumFiles)
    for number in old { try? FileManager.default.removeItem(atPath: AuditFiles.path(number, in: folder)) }
  }

  /// Reads this log.
  public var reader: AuditReader { AuditReader(folder: folder) }

  /// The hash of the newest entry. Kept elsewhere, it proves later that nothing was cut off.
  public var head: String { state.withLock { $0.head } }

  /// Flushes what was written to the disk; does nothing when that is done already. Blocks.
  public func sync() {
    let file = state.withLock { state -> Int32? in
      guard state.isDirty else { return nil }
      state.isDirty = false
      return dup(state.file)
    }
    guard let file, file >= 0 else { return }
    fdatasync(file)
    close(file)
  }
}
