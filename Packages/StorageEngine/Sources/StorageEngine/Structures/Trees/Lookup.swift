/// The answer of a structure that knows part of an index.
enum Lookup: Equatable, Sendable {
  case found(RowKey), absent, unknown
}
