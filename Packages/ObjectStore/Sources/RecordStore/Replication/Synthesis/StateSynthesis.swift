public import ChangesetOT
import StorageEngine

/// The shortest way to a state: changesets that turn an empty file into one that holds what this one holds, without any
/// of its history.
///
///     var synthesis = try StateSynthesis(file, pieceSize: 128 << 10)
///     while let changeset = try synthesis.next() { try send(changeset) }
///
/// The pieces are to be applied in order. Classes and fields come first, then every object with the values that link to
/// nothing, then links, mixed values and embedded objects: an object is there before anything links to it, so that no
/// name is ever kept for one that is still to come. Links to objects that do not exist are part of the state and arrive
/// as such. What a new object holds anyway is left out.
///
/// Everything is read from the version that was the latest at the beginning, however long the walk takes and whatever is
/// written meanwhile; that version is pinned until the value is gone. Equal states give equal pieces.
///
/// Not part of what is made: indexes other than those of keys, the application's schema version, and the progress of
/// replication. The pieces have no origin: a peer with edits of its own merges them by the origin that they travel with.
///
/// - Complexity: O(*n*) in the size of the state; memory for one piece, which exceeds its size by one value at most.
public struct StateSynthesis: Sendable {
  /// The version of the server's history that the state is at; nil for a file that is no server's.
  public let serverVersion: ServerVersion?
  /// The objects of all classes, embedded ones left out.
  public let objectCount: Int
  /// A piece ends with the first instruction that brings it to this many bytes.
  public let pieceSize: Int

  let snapshot: Snapshot
  let catalog: Catalog
  let steps: [Step]
  /// The rows that are walked, ascending by class; nil for all of them.
  let selection: [TableID: [RowKey]]?
  /// The step that is next or under way.
  var step = 0
  /// Within a step over selected rows: the one that is next or under way.
  var selected = 0
  /// Within a step over objects: the row that is next or under way, whether its creation was written, and the field and
  /// element of it that are next.
  var row = RowKey(0)
  var isCreated = false
  var field = 0
  var element = 0

  /// A pass over the whole file, or over every object of a class.
  enum Step {
    case declareClass(ClassLayout)
    case declareField(ClassLayout, FieldLayout)
    case createObjects(ClassLayout, [FieldLayout])
    case fillObjects(ClassLayout, [FieldLayout])
  }

  /// A walk over the latest version of a file.
  ///
  /// - Parameter pieceSize: bytes at which a piece ends; at least 1.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public init(_ file: RealmFile, pieceSize: Int = 128 << 10) throws {
    precondition(pieceSize > 0, "a piece has at least one byte")
    let (snapshot, catalog, serverVersion) = try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      return (snapshot, try file.catalog(of: snapshot), try ServerState(in: snapshot)?.current)
    }
    self.snapshot = snapshot
    self.catalog = catalog
    self.serverVersion = serverVersion
    self.pieceSize = pieceSize
    selection = nil
    let topLevel = catalog.classes.filter { $0.kind != .embedded }
    objectCount = topLevel.reduce(0) { $0 + snapshot.rowCount(of: $1.table) }
    steps = Self.steps(catalog.classes, topLevel)
  }

  /// A walk over some rows of a version.
  ///
  /// - Parameters:
  ///   - selection: the rows by class, ascending; of a class without an entry there are none.
  ///   - declares: whether the classes and fields come first.
  init(
    _ snapshot: Snapshot, _ catalog: Catalog, rows selection: [TableID: [RowKey]], declares: Bool, pieceSize: Int
  ) throws {
    self.snapshot = snapshot
    self.catalog = catalog
    serverVersion = try ServerState(in: snapshot)?.current
    self.pieceSize = pieceSize
    self.selection = selection
    objectCount = selection.reduce(0) { $0 + $1.value.count }
    let topLevel = catalog.classes.filter { selection[$0.table]?.isEmpty == false }
    steps = Self.steps(declares ? catalog.classes : [], topLevel)
  }

  private static func steps(_ classes: [ClassLayout], _ topLevel: [ClassLayout]) -> [Step] {
    var steps = classes.map { Step.declareClass($0) }
    for layout in classes {
      steps += layout.fields.filter { $0.column != layout.keyField?.column }.map { .declareField(layout, $0) }
    }
    for layout in topLevel {
      steps.append(.createObjects(layout, layout.fields.filter { !$0.canLink && $0.column != layout.keyField?.column }))
    }
    for layout in topLevel {
      let linking = layout.fields.filter(\.canLink)
      if !linking.isEmpty { steps.append(.fillObjects(layout, linking)) }
    }
    return steps
  }

  /// The bytes of the next changeset; nil when the state is complete.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public mutating func next() throws -> [UInt8]? {
    try translatingErrors {
      var piece = ChangesetWriter()
      while step < steps.count, piece.count < pieceSize { try advance(&piece) }
      return piece.isEmpty ? nil : piece.finish()
    }
  }
}

extension ServerHistory {
  /// The served state as changesets without history, for a client that has nothing yet.
  ///
  /// - Parameter pieceSize: bytes at which a piece ends.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func synthesis(pieceSize: Int = 128 << 10) throws -> StateSynthesis {
    try StateSynthesis(file, pieceSize: pieceSize)
  }
}
