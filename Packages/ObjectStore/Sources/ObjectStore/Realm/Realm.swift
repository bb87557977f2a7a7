public import DataModel
public import Dispatch
public import Foundation
import StorageEngine

/// A database of live objects: one thread's handle on a realm file.
///
///     let realm = try Realm()
///     try realm.write { realm.add(Person(value: ["name": "Ada", "age": 36])) }
///     realm.objects(Person.self).filter("age > 30").count          // 1
///
/// A realm, its objects and its collections belong to the thread (or serial queue) that opened it; use elsewhere stops
/// the program. Opening the same realm again on one thread gives the same realm. Other threads, and other processes,
/// open it for themselves.
public struct Realm {
  let view: RealmView

  init(_ view: RealmView) { self.view = view }

  // MARK: Opening

  /// Opens the default realm.
  ///
  /// - Parameter queue: a serial queue to confine the realm to, which must be the current one; nil confines it to the
  ///   current thread.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens the realm in a file, with the default configuration otherwise.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a realm, creating it when it does not exist.
  ///
  /// - Throws: ``Realm/Error``: `schemaMismatch` when the classes changed and nothing says how to migrate,
  ///   `invalidDatabase` for a file that is no realm, `fileNotFound`, `fileAccess` or `filePermissionDenied` when the disk
  ///   refuses.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    view = try RealmView.open(configuration, queue.map { .queue($0) } ?? .current)
  }

  // MARK: Properties

  /// The classes that the realm was opened with, by the names in code. A realm that names no classes shows those of the
  /// program, and what else the file has by the stored names.
  public var schema: Schema {
    view.checkConfinement()
    return view.schema
  }

  /// What the realm was opened with.
  public var configuration: Configuration { view.configuration }

  /// Whether no class has an object.
  public var isEmpty: Bool {
    view.checkConfinement()
    let frame = view.frame
    return frame.catalog.classes.allSatisfy { frame.reader.rowCount(of: $0.table) == 0 }
  }

  /// Whether the realm is a frozen copy.
  public var isFrozen: Bool { view.isFrozen }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool {
    view.checkConfinement()
    return view.isWriting
  }

  /// The file behind the realm, for replication.
  public var file: RealmFile { view.file }

  // MARK: Reading

  /// The object with a primary key; nil when there is none.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    view.checkConfinement()
    let access = view.access(type)
    if KeyType.self == Int.self, let index = access.quick.pointee.integerKey {
      let number = Int64(withUnsafeBytes(of: key) { $0.load(as: Int.self) })
      guard let row = view.reading(or: nil, { try view.firstRow(number, in: index) }) else { return nil }
      view.prefetch(row, access)
      return unsafeDowncast(view.live(type, access, row), to: Element.self)
    }
    guard let field = access.layout.keyField else {
      violated("Class '\(type.className())' has no primary key.")
    }
    guard let index = access.layout.key?.index else { return nil }
    // The two usual types of keys are told apart without a dynamic cast.
    let stored: StoredValue?
    if KeyType.self == Int.self {
      stored = field.type == .int ? .int(Int64(withUnsafeBytes(of: key) { $0.load(as: Int.self) })) : nil
    } else {
      stored =
        StoredValue(literal: key, field) ?? StoredValue(literal: PredicateArgument.standing(for: key), field)
    }
    guard let entry = stored.flatMap({ IndexKey($0, of: field) }) else { return nil }
    return view.reading(or: nil) { try view.frame.firstRow(entry, index) }.map { view.object(type, $0) }
  }

  // MARK: Versions

  /// Whether the realm moves to new versions by itself, at the next turn of its run loop or queue. Threads without
  /// one call ``refresh()``.
  public var autorefresh: Bool {
    get { view.isFrozen ? false : view.autorefresh }
    nonmutating set {
      rule(!view.isFrozen, "Frozen Realms do not change.")
      view.autorefresh = newValue
    }
  }

  /// Moves to the newest version and delivers the notifications that are due.
  /// - Returns: whether there was a newer version.
  @discardableResult
  public func refresh() -> Bool {
    view.checkConfinement()
    return view.refresh()
  }

  /// Lets go of the version that is read: everything live becomes invalid, the next read begins anew.
  public func invalidate() {
    view.checkConfinement()
    view.invalidate()
  }

  /// A copy that never changes and may be read from any thread. Within a write transaction it shows what was there before.
  public func freeze() -> Realm { Realm(view.frozen()) }

  /// The live realm of this thread that a frozen one was made from.
  public func thaw() -> Realm { isFrozen ? Realm(view.thawed()) : self }
}

extension Realm: Equatable {
  /// Whether both are the same view.
  public static func == (left: Realm, right: Realm) -> Bool { left.view === right.view }
}

// The memory management of live objects is reference counting; code that came from elsewhere compiles all the same.

/// Runs `body`; there are no pools to release.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
