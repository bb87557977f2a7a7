/// The counts of an import.
public struct ImportReport: Hashable, Sendable {
  /// The number of new objects.
  public var created = 0
  /// The number of objects that existed, and got the fields of the import.
  public var updated = 0
  /// The number of objects that did not fit their class and were left out.
  public var skipped = 0
  /// The reasons why objects were skipped; the first thousand.
  public var problems: [ExchangeError] = []

  /// A report of nothing.
  public init() {}
}
