import CSimulatedDisk
import Glibc
import SQLiteDatabase
import StorageEngine

/// One of several processes that commit to one file and move its write-ahead log, each of which can be stopped before
/// any operation on the file. Obeys the lines of its input, and answers each with lines:
///
///     open <step>             as checkpoint, while the file is opened; or "locked"
///     commit <count>          per commit "committed <version>", or "locked" when another process holds the file
///     checkpoint <step>       "paused <operation>" before that operation, and goes on with the next line; then "done <steps>"
///     close <step>            the same, while the file is closed
///     value                   "value <value of all rows> <version>", or "failed: <reason>"
///
/// The environment variable UNGUARDED lets it run checkpoints without the write lock, as SQLite itself does.
struct WALSharer {
  let path: String
  private var store: Store?
  private var bare: SQLiteConnection?
  private let isUnguarded = getenv("UNGUARDED") != nil

  init(path: String) {
    self.path = path
    simulated_disk_register()
  }

  private var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.fileSystem = SIMULATED_DISK_NAME
    configuration.walPages = 12
    configuration.busyTimeout = .milliseconds(1)
    configuration.readTimeout = .milliseconds(1)
    // Opening a file registers a reader of all versions for a moment.
    configuration.warn = { _ in }
    return configuration
  }

  mutating func run() throws {
    while let line = readLine() {
      let words = line.split(separator: " ")
      let number = words.count > 1 ? Int64(words[1]) ?? 0 : 0
      do {
        switch words.first {
        case "open": try pausing(at: number) { try $0.open() }
        case "commit": for _ in 0..<number { say("committed \(try opened.increment().rawValue)") }
        case "checkpoint": try pausing(at: number) { try $0.checkpoint() }
        case "close": try pausing(at: number) { $0.close() }
        case "value":
          let snapshot = try opened.store.latestSnapshot()
          say("value \(try opened.value(snapshot)) \(snapshot.version.rawValue)")
        default: throw Exerciser.Failure(description: "unknown line \(line)")
        }
      } catch let error as StorageError where error.code == .locked { say("locked") } catch {
        // In one line.
        say("failed: " + "\(error)".split(separator: "\n").joined(separator: " "))
      }
    }
  }

  private var opened: Exerciser {
    get throws {
      guard let store else { throw Exerciser.Failure(description: "the store is closed") }
      return Exerciser(store: store)
    }
  }

  private mutating func open() throws {
    store = try Store.open(.file(path: path), configuration: configuration)
    guard isUnguarded else { return }
    bare = try SQLiteConnection(path: path, mode: .readWrite, fileSystem: SIMULATED_DISK_NAME)
    _ = try bare?.integer("PRAGMA schema_version")
  }

  private func checkpoint() throws {
    guard let bare else { return try opened.store.checkpoint() }
    _ = try bare.integer("PRAGMA wal_checkpoint(PASSIVE)")
  }

  private mutating func close() {
    bare = nil
    store = nil
  }

  private mutating func pausing(at step: Int64, _ body: (inout WALSharer) throws -> Void) throws {
    simulated_disk_pause(step) { operation in
      say("paused " + (operation.map { String(cString: $0) } ?? ""))
      _ = readLine()
    }
    defer { simulated_disk_pause(0, nil) }
    try body(&self)
    say("done \(simulated_disk_steps())")
  }
}
