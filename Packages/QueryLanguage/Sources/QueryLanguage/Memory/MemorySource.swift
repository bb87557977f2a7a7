public import DataModel

/// Objects in memory that answer queries: for data that are in no store, and for examples and tests.
///
///     let source = MemorySource(schema: schema)
///     source.add("Person", ["name": "Ada", "age": 36])
///     try plan.count(in: source)                           // 1
///
/// Values of lists and sets are `.list`, of dictionaries `.dictionary`, of links `.link`. A link to an object that was
/// never added is an unresolved object. Used by one thread at a time.
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
  ///
  /// Traps when the presentation's sizes are out of their ranges.
  public init(schema: Schema, presentation: Presentation = Presentation()) {
    self.schema = schema
    self.presentation = presentation
    precondition(
      (1...(presentation.hasHoles ? 128 : 256)).contains(presentation.clusterSize) && presentation.rowKeyStride > 0,
      "a cluster has 1 to 256 slots, and clusters a distance of at least one")
    for objectSchema in schema.objectSchema {
      tables[objectSchema.className] = MemoryTable(schema: objectSchema, in: self)
    }
  }

  /// The rows of a class; nil when the schema has no such class.
  public func table(_ className: String) -> (any QueryTable)? { tables[className] }

  /// The table of a class with its rows as values; usable while the source lives.
  public func memoryTable(_ className: String) -> MemoryTable? { tables[className] }

  /// Adds an object; properties that are not named are null or empty.
  ///
  /// Traps for a name that is no property of the class, and for a value of another type than its property: both are mistakes
  /// of the program.
  ///
  /// - Parameter key: its key; nil for the one that the primary key or, without it, the row gives.
  /// - Returns: its row; nil when the schema has no such class.
  /// - Complexity: O(properties); what queries need is made again at the next one, O(*n*).
  @discardableResult
  public func add(_ className: String, _ values: [String: Value], key: ObjectKey? = nil) -> QueryRow? {
    tables[className]?.add(values, key: key)
  }

  /// Drops clusters and backlinks, which are derived from rows; called after each change of a row.
  func invalidate() { for table in tables.values { table.invalidate() } }

  func row(of reference: ObjectReference) -> QueryRow? { tables[reference.className]?.rowOfKey[reference.key] }

  var allTables: [MemoryTable] { schema.objectSchema.compactMap { tables[$0.className] } }
}
