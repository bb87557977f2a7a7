public import ChangesetOT
public import DataModel
import StorageEngine
import Synchronization

/// A part of a server's history as a consumer reads it, with the states of the objects that it touched.
///
/// Holds the snapshot that was the newest when it was read. Safe to use from any thread.
public final class FeedScan: Sendable {
  /// The versions that changed something, ascending. Versions that are empty, and those that set back the file of one client
  /// only, are passed over.
  public let entries: [FeedEntry]
  /// The position before the scan.
  public let start: ServerVersion
  /// The position after it.
  public let end: SaltedServerVersion
  /// Whether the scan reaches the newest version that there was.
  public let reachedEnd: Bool
  /// The newest version that there was.
  let newest: ServerVersion
  let file: RealmFile
  let snapshot: Snapshot
  /// The inverses of the versions of the scan.
  let inverses: [LogEntry]
  let catalog: Catalog
  /// Read when first asked for.
  private let past = Mutex<FeedPast?>(nil)

  init(
    _ file: RealmFile, _ snapshot: Snapshot, entries: [FeedEntry], inverses: [LogEntry], start: ServerVersion,
    end: SaltedServerVersion, newest: ServerVersion
  ) throws {
    self.file = file
    self.snapshot = snapshot
    self.entries = entries
    self.inverses = inverses
    self.start = start
    self.end = end
    self.newest = newest
    reachedEnd = end.version == newest
    catalog = try file.catalog(of: snapshot)
  }

  var readView: ReadView { ReadView(snapshot, catalog) }

  /// The classes at the newest version that there was; values of ``ObjectTransition`` are in the order of their properties.
  public var schema: Schema { readView.schema }

  /// Everything that the realm held at the newest version that there was.
  ///
  /// - Complexity: O(classes); no object is read.
  public func contents() -> RealmContents { RealmContents(readView) }

  /// The objects that an entry of this scan touched, with their own values before and after it.
  ///
  /// - Returns: nil when they can no longer be told: from before the first cursor or view of the realm, or from before the
  ///   erasure of a class or a property, that version included.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the entry and in the fields of its objects; the first call of the scan also in the inverses of
  ///   all versions from its start to the newest; those after the scan are read once, in pieces.
  public func transitions(of entry: FeedEntry) throws -> [ObjectTransition]? {
    try translatingErrors {
      try past.withLock { past in
        if past == nil { past = try FeedPast(self) }
        return try past?.transitions(of: entry, in: readView)
      }
    }
  }

  /// All fields of an object at a version of this scan, or before its first; nil when it did not exist.
  ///
  /// - Throws: ``FeedPastError`` when the state can no longer be told; ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the inverses of all versions from that one to the newest, which are read in pieces; those of the
  ///   object are kept meanwhile.
  public func fields(of object: ObjectReference, at version: ServerVersion) throws -> [String: StateDump.Item]? {
    try translatingErrors {
      var states = PastStates()
      let known = try FeedPast.read(self, after: version) { inverse, version in
        guard let part = inverse.parts.first(where: { $0.object == object }) else { return }
        states.add(VersionInverse(part), at: version)
      }
      guard version >= known else { throw FeedPastError(known: known) }
      return try states.fields(of: object, at: version, in: readView)
    }
  }

  /// All objects that versions after the start of this scan touched, up to the newest that there was, with all their fields at
  /// the start; nil fields where the object did not exist then. With ``contents()`` they give the whole state at the start.
  ///
  /// - Throws: ``FeedPastError`` when the state can no longer be told; ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the inverses of all versions after the start, which are in memory meanwhile.
  public func statesAtStart() throws -> [(object: ObjectReference, fields: [String: StateDump.Item]?)] {
    try translatingErrors {
      var states = PastStates()
      var touched: [ObjectReference] = []
      var seen: Set<ObjectReference> = []
      let known = try FeedPast.read(self, after: start) { inverse, version in
        states.add(inverse, at: version)
        touched += inverse.parts.lazy.map(\.object).filter { seen.insert($0).inserted }
      }
      guard start >= known else { throw FeedPastError(known: known) }
      return try touched.map { ($0, try states.fields(of: $0, at: start, in: readView)) }
    }
  }
}

/// The state of an object at a version can no longer be told.
public struct FeedPastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first version whose state can be told.
  public var known: ServerVersion

  /// The message.
  public var description: String {
    "States before version \(known.rawValue) are no longer known. Read the present one."
  }
}

/// An object that a version touched, with its own values before and after.
public struct ObjectTransition: Hashable, Sendable {
  /// Class and key.
  public var object: ObjectReference
  /// The values before, one per property in the order of the class in ``FeedScan/schema``; nil when the object did not exist.
  /// Null stands for links and collections, and for a mixed value that is one.
  public var before: [Value]?
  /// The values after, in the same form; nil when the object does not exist any more.
  public var after: [Value]?
  /// The positions of the properties that were written, links and collections among them.
  public var written: [Int]
}
