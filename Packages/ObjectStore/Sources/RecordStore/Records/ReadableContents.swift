public import DataModel
import Permissions
public import QueryLanguage
import StorageEngine

/// One version of a realm as one user may read it, as columns: for services that answer queries without live objects.
///
///     let readable = try history.readableContents(by: access)
///     let rows = try plan.rows(in: readable.source)                        // to be filtered where the user is bounded
///     try rows.filter { try readable.isReadable($0, of: "Dog") }
///
/// The permissions are those by which views select what devices hold. An object that a readable one links to is readable too,
/// whatever its own list says, if its class is. Used from one thread at a time.
public final class ReadableContents {
  /// The version that is read.
  public let contents: RealmContents
  /// The objects as queries see them, those that the user may not read among them.
  public let source: any QuerySource
  private let lists: StatePermissions
  /// Nil when nothing inside the realm bounds the user.
  private let permissions: ViewPermissions?

  /// Everything that a version holds, for a reader without bounds.
  public convenience init(_ contents: RealmContents) { self.init(contents, permissions: nil) }

  init(_ contents: RealmContents, permissions: ViewPermissions?) {
    self.contents = contents
    let source = ReadViewQuerySource(contents.readView, schema: contents.schema)
    self.source = source
    lists = StatePermissions(source)
    self.permissions = permissions.flatMap { $0.user.isUnrestricted(in: source.catalog) ? nil : $0 }
  }

  /// Whether roles inside the realm take something from the user.
  public var isBounded: Bool { permissions != nil }

  /// Whether objects of a class may be read at all. O(1).
  public func mayRead(_ className: String) -> Bool { permissions?.mayRead(className) ?? true }

  /// Whether a class may be asked for objects: asking is one privilege, reading another. O(1).
  public func mayQuery(_ className: String) -> Bool { permissions?.maySubscribe(to: className) ?? true }

  /// The reason for which a query would tell about objects that the user may not read; nil when it does not.
  ///
  /// - Complexity: O(*n*) in the classes that the query reads.
  public func refusal(of plan: QueryPlan) -> String? {
    permissions?.refusal(of: plan, contents.readView.catalog, followsLinks: true)
  }

  /// Whether lists of single objects decide which objects of a class may be read. O(1).
  public func asksLists(of className: String) -> Bool {
    guard let permissions, permissions.asksLists else { return false }
    return contents.readView.catalog[className].map { !$0.accessLists.isEmpty } ?? false
  }

  /// Whether the user may read the object in a row, found by a query of its class.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* entries of the object's list.
  public func isReadable(_ row: QueryRow, of className: String) throws -> Bool {
    guard let permissions else { return true }
    guard permissions.mayRead(className) else { return false }
    guard asksLists(of: className), let layout = contents.readView.catalog[className] else { return true }
    return try translatingErrors {
      permissions.reads(try lists.list(ofRow: row, layout, layout.accessLists), inClass: className)
    }
  }
}

extension RealmContents {
  /// The number of the schema within its file: another one when classes or properties were added or erased. O(1).
  public var schemaRevision: UInt64 { readView.catalog.revision }

  /// The values of an object that are its own: null stands for links and collections. Nil when it does not exist.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(log *n*) in the objects of the class, O(*f*) in its properties.
  public func ownValues(of object: ObjectReference) throws -> [Value]? {
    try translatingErrors {
      guard let layout = readView.catalog[object.className] else { return nil }
      return try CommitChanges.values(of: object, layout, in: readView)
    }
  }
}
