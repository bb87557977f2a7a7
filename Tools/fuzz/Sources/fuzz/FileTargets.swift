import Foundation
import Glibc
import ObjectStore
import RecordStore
import Synchronization
import TestKit

// Realm files with each byte flipped once and a cut at each length: all of them, whatever RUNS says.

/// The folder of this run's files: in memory, because a run makes millions of commits. The parent process removes it.
enum FileFolder {
  static let path = {
    let base = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let run = ProcessInfo.processInfo.environment["OPENREALM_FUZZ_RUN"] ?? "\(getpid())"
    let path = "\(base)/openrealm-fuzz-\(run)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }()

  static func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// A name that was not used before, because closing a file may end a moment after the call.
  static func newFile() -> String { "\(path)/\(getpid())-\(names.wrappingAdd(1, ordering: .relaxed).newValue).realm" }
  private static let names = Atomic<Int>(0)
}

/// Counts of damaged files that read as before and of those that were refused; the parent adds up its children's.
enum FileTally {
  static let right = Atomic<Int>(0)
  static let refused = Atomic<Int>(0)

  static func leave() {
    let line = "\(right.load(ordering: .relaxed)) \(refused.load(ordering: .relaxed))"
    try? Data(line.utf8).write(to: URL(fileURLWithPath: "\(FileFolder.path)/\(getpid()).tally"))
  }

  static func collect() -> String {
    var sums = [0, 0]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: FileFolder.path)) ?? []
    where name.hasSuffix(".tally") {
      let path = "\(FileFolder.path)/\(name)"
      let numbers = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").compactMap { Int($0) }
      for (place, number) in (numbers ?? []).prefix(2).enumerated() { sums[place] += number }
      try? FileManager.default.removeItem(atPath: path)
    }
    return ", \(sums[0]) right all the same, \(sums[1]) refused"
  }
}

final class FuzzedSpot: EmbeddedObject {
  @Persisted var street: String
}

final class FuzzedNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var title: String
  @Persisted var weight: Double?
  @Persisted var data: Data
  @Persisted var next: FuzzedNote?
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var spot: FuzzedSpot?
  @Persisted(originProperty: "next") var previous: LinkingObjects<FuzzedNote>
}

/// A small realm whose bytes are damaged.
final class FuzzedRealm: Sendable {
  /// The whole file, and what it holds.
  private struct Whole: Sendable {
    let bytes: [UInt8]
    let contents: [String]
    let dump: StateDump
  }
  private let isEncrypted: Bool
  private let made = Mutex<Whole?>(nil)

  init(isEncrypted: Bool) {
    self.isEncrypted = isEncrypted
    RealmLogger.shared?.level = .off
  }

  private func configuration(_ path: String) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), objectTypes: [FuzzedNote.self, FuzzedSpot.self])
    configuration.encryptionKey = isEncrypted ? Data((0..<64).map { UInt8($0) }) : nil
    return configuration
  }

  /// The content of the realm, read through its objects.
  private func contents(_ realm: Realm) -> [String] {
    realm.objects(FuzzedNote.self).sorted(byKeyPath: "id").map { note in
      let mixed = note.mixed.keys.sorted().map { "\($0) \(note.mixed[$0] ?? .none)" }
      return
        "\(note.id) \(note.title) \(note.weight as Any) \([UInt8](note.data)) \(note.next?.title ?? "-") \(Array(note.tags)) "
        + "\(note.marks.sorted()) \(mixed) \(note.spot?.street ?? "-") \(note.previous.map(\.id).sorted())"
    } + ["\(realm.objects(FuzzedNote.self).filter("title == 'note 3' OR next.weight > 1").map(\.id).sorted())"]
  }

  private func whole() -> Whole {
    made.withLock { made in
      if let made { return made }
      do {
        let new = try make()
        made = new
        return new
      } catch { stop("the realm could not be made: \(error)") }
    }
  }

  private func make() throws -> Whole {
    let (first, whole) = (FileFolder.newFile(), FileFolder.newFile())
    defer { for path in [first, whole] { remove(path) } }
    return try {
      let realm = try Realm(configuration: configuration(first))
      try realm.write {
        for id in 0..<8 {
          let note = realm.create(FuzzedNote.self, value: ["id": id, "title": "note \(id)"])
          note.weight = id % 2 == 0 ? Double(id) / 2 : nil
          note.next = realm.object(ofType: FuzzedNote.self, forPrimaryKey: id / 2)
          note.tags.append(objectsIn: ["a", "tag \(id)"])
          note.marks.insert(objectsIn: [id, 7])
          note.mixed["k"] = id % 2 == 0 ? .int(id) : .string("text")
          if id % 3 == 0 { note.spot = FuzzedSpot(value: ["street": "Main \(id)"]) }
        }
        realm.object(ofType: FuzzedNote.self, forPrimaryKey: 1)?.data = Data(repeating: 7, count: 600)
      }
      try realm.writeCopy(toFile: URL(fileURLWithPath: whole), encryptionKey: configuration(whole).encryptionKey)
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
      return Whole(bytes: bytes, contents: contents(realm), dump: try realm.file.dump())
    }()
  }

  private func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
  }

  /// Opens damaged bytes: they hold what they should, and can be written on; or a typed error says why not.
  private func check(_ bytes: [UInt8], _ whole: Whole) throws {
    let path = FileFolder.newFile()
    defer { remove(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do {
      let realm = try Realm(configuration: configuration(path))
      let found = self.contents(realm)
      try realm.checkReads()
      // An empty file is a new realm.
      let isRight = try bytes.isEmpty || (found == whole.contents && realm.file.dump() == whole.dump)
      guard isRight else { stop("other data than were written are shown without an error: \(found)") }
      try realm.write { _ = realm.create(FuzzedNote.self, value: ["id": 99, "title": "new"]) }
      FileTally.right.wrappingAdd(1, ordering: .relaxed)
    } catch let error as Realm.Error {
      let codes: [Realm.Error.Code] = [
        .invalidDatabase, .unsupportedFileFormatVersion, .fileAccess, .filePermissionDenied,
      ]
      guard codes.contains(error.code), error.message.count > 30 else { stop("not what damage is called: \(error)") }
      FileTally.refused.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(reason)\n".utf8))
    exit(4)
  }

  var target: FuzzTarget {
    FuzzTarget(
      name: isEncrypted ? "realm-file-encrypted" : "realm-file",
      corpus: { [self.whole().bytes] },
      feed: { bytes in
        do { try self.check(bytes, self.whole()) } catch { self.stop("an error of no kind: \(error)") }
      },
      isExhaustive: true, endOfChild: FileTally.leave, summary: FileTally.collect)
  }
}
