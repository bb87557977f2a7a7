public import DataModel
public import Dispatch
public import Foundation
import StorageEngine
import RecordStore

/// A database of live objects, as one thread, queue or actor sees it.
///
///     let realm = try Realm()
///     try realm.write { realm.add(Person(value: ["name": "Ada", "age": 36])) }
///     realm.objects(Person.self).filter("age > 30").count          // 1
///
/// A realm, its objects and its collections belong to the thread, serial queue or actor that opened it; use elsewhere
/// stops the program. Opening the same file again there gives an equal realm. Other threads and processes open it for
/// themselves, or take a ``freeze()`` or a ``ThreadSafeReference``.
public struct Realm {
  let view: RealmView

  init(_ view: RealmView) { self.view = view }

  // MARK: Opening

  /// Opens the realm of the default configuration.
  ///
  /// - Parameter queue: the serial queue to confine the realm to, which must be the current one; nil confines it to the
  ///   current thread.
  /// - Throws: ``Realm/Error``, as ``init(configuration:queue:)`` does.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens the realm in a file, with the default configuration otherwise.
  ///
  /// - Throws: ``Realm/Error``, as ``init(configuration:queue:)`` does.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a realm, and creates it when it does not exist. Blocks while it migrates or compacts the file.
  ///
  /// - Parameter queue: the serial queue to confine the realm to, which must be the current one; nil confines it to the
  ///   current thread.
  /// - Throws: ``Realm/Error``: `schemaMismatch` when the classes changed and the configuration names no way to
  ///   migrate, `invalidDatabase` for a file that is no realm or is damaged, `fileNotFound`, `fileAccess` or
  ///   `filePermissionDenied` when the file system refuses.
  /// - Complexity: O(*c*) in the classes of the file; a migration O(*n*) in its objects.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    view = try RealmView.open(configuration, queue.map { .queue($0) } ?? .current)
  }

  // MARK: Properties

  /// The classes that the realm was opened with, by their names in code. A configuration without object types gives the
  /// classes of the program, and the file's other classes by their stored names.
  public var schema: Schema {
    view.checkConfinement()
    return view.schema.shown
  }

  /// The configuration that the realm was opened with.
  public var configuration: Configuration { view.configuration }

  /// Whether no class has an object.
  public var isEmpty: Bool {
    view.checkConfinement()
    let readView = view.readView
    return readView.catalog.classes.allSatisfy { readView.reader.rowCount(of: $0.table) == 0 }
  }

  /// Whether the realm is a frozen copy.
  public var isFrozen: Bool { view.isFrozen }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool {
    view.checkConfinement()
    return view.isWriting
  }

  /// The file of the realm, for replication.
  public var file: RealmFile { view.file }

  // MARK: Reading

  /// The object with a primary key; nil when there is none.
  ///
  ///     let rex = realm.object(ofType: Dog.self, forPrimaryKey: 1)
  ///
  /// A class without a primary key stops the program.
  ///
  /// - Complexity: O(log *n*) in the objects of the class.
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    view.checkConfinement()
    let access = view.access(type)
    if KeyType.self == Int.self, let index = access.fastPath.pointee.integerKey {
      let number = Int64(withUnsafeBytes(of: key) { $0.load(as: Int.self) })
      guard let row = view.reading(or: nil, { try view.firstRow(number, in: index) }) else { return nil }
      view.prefetch(row, access)
      return view.live(type, access, row)
    }
    guard let field = access.layout.keyField else {
      violated("Class '\(type.className())' has no primary key.")
    }
    guard let index = access.layout.key?.index else { return nil }
    // Keys of type Int are recognised without a dynamic cast.
    let stored: StoredValue?
    if KeyType.self == Int.self {
      stored = field.type == .int ? .int(Int64(withUnsafeBytes(of: key) { $0.load(as: Int.self) })) : nil
    } else {
      stored =
        StoredValue(literal: key, field) ?? StoredValue(literal: PredicateArgument.plain(key), field)
    }
    guard let entry = stored.flatMap({ IndexKey($0, of: field) }) else { return nil }
    return view.reading(or: nil) { try view.readView.firstRow(entry, index) }.map { view.live(type, $0) }
  }

  // MARK: Versions

  /// Whether the realm moves to new versions by itself, in the next pass of its run loop, queue or actor. True at
  /// first. A thread without a run loop calls ``refresh()``.
  public var autorefresh: Bool {
    get { view.isFrozen ? false : view.autorefresh }
    nonmutating set {
      rule(!view.isFrozen, "Frozen Realms do not change.")
      view.autorefresh = newValue
    }
  }

  /// Moves to the newest version, and calls the notification handlers for all changes since their last call.
  ///
  /// - Returns: whether there was a newer version; false within a write transaction and for a frozen realm.
  @discardableResult
  public func refresh() -> Bool {
    view.checkConfinement()
    return view.refresh()
  }

  /// Releases the version that is read, and cancels an open transaction. All live objects and collections of the realm
  /// become invalid; the next read moves to the newest version.
  public func invalidate() {
    view.checkConfinement()
    view.invalidate()
  }

  /// A copy that never changes and may be read from any thread. Within a write transaction it shows the state before
  /// the transaction. The file keeps the copy's version as long as the copy lives.
  public func freeze() -> Realm { Realm(view.frozen()) }

  /// The live realm of a frozen copy, on the calling thread; a live realm gives itself.
  public func thaw() -> Realm { isFrozen ? Realm(view.thawed()) : self }
}

extension Realm: Equatable {
  /// Whether both are one realm on one thread, queue or actor, or the same frozen copy.
  public static func == (left: Realm, right: Realm) -> Bool { left.view === right.view }
}

/// Runs `body`. Exists for source compatibility: objects are reference counted here, without pools.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
