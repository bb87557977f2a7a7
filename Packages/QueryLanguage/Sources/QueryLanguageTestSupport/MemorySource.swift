public import DataModel
public import QueryLanguage

/// A small store in memory that answers queries: for tests and examples.
///
///     let source = MemorySource(schema: schema)
///     try source.add("Person", ["name": "Ada", "age": 36])
///     try plan.count(in: source)
///
/// Values of lists and sets are `.list`, of dictionaries `.dictionary`, of links `.link`. A link to an object that was
/// never added is an unresolved object.
public final class MemorySource: QuerySource {
  /// The classes, each with one table.
  public let schema: Schema
  /// The form in which the evaluator sees the rows.
  public let presentation: Presentation
  private var tables: [String: MemoryTable] = [:]

  /// Choices that must not change any result.
  public struct Presentation: Sendable {
    /// Rows per cluster, from 1 to 256.
    public var clusterSize = 256
    /// Whether columns are arrays; otherwise every column is generic.
    public var hasColumns = true
    /// Whether columns know their bounds.
    public var hasBounds = true
    /// Whether indexed properties and primary keys have an index.
    public var hasIndexes = true
    /// Whether every other slot of a cluster is empty; the cluster size is then at most 128.
    public var hasHoles = false
    /// Whether the first bytes of strings are kept apart, as stores do.
    public var hasHeads = true
    /// The distance between neighbouring clusters, in clusters' worth of row keys.
    public var rowKeyStride: Int64 = 1

    /// One cluster for 256 rows, with columns, bounds, heads and indexes.
    public init() {}
  }

  /// A store without objects.
  public init(schema: Schema, presentation: Presentation = Presentation()) {
    self.schema = schema
    self.presentation = presentation
    for objectSchema in schema.objectSchema {
      tables[objectSchema.className] = MemoryTable(schema: objectSchema, presentation: presentation)
    }
    for table in tables.values { table.source = self }
  }

  /// The rows of a class; nil when the schema has no such class.
  public func table(_ className: String) -> (any QueryTable)? { tables[className] }

  /// The table of a class with its rows as values.
  public func memoryTable(_ className: String) -> MemoryTable? { tables[className] }

  /// Adds an object; properties that are not named are null or empty.
  ///
  /// - Returns: its row.
  @discardableResult
  public func add(_ className: String, _ values: [String: Value], key: ObjectKey? = nil) -> QueryRow? {
    tables[className]?.add(values, key: key)
  }

  /// Drops clusters and backlinks, which are derived from rows; called after each change of a row.
  func invalidate() { for table in tables.values { table.invalidate() } }

  func row(of reference: ObjectReference) -> QueryRow? { tables[reference.className]?.rowOfKey[reference.key] }

  var allTables: [MemoryTable] { schema.objectSchema.compactMap { tables[$0.className] } }
}
