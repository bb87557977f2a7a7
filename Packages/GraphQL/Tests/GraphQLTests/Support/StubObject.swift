import Synchronization

@testable import GraphQL

/// An object with given values, and with values that are computed from the call.
struct StubObject: GraphQLObject {
  var typeName: String
  var values: [String: ResolvedValue] = [:]
  var computed: [String: @Sendable (FieldCall) throws -> ResolvedValue] = [:]

  init(
    _ typeName: String, _ values: [String: ResolvedValue] = [:],
    computed: [String: @Sendable (FieldCall) throws -> ResolvedValue] = [:]
  ) {
    self.typeName = typeName
    self.values = values
    self.computed = computed
  }

  func resolve(_ field: FieldCall) throws -> ResolvedValue {
    if let body = computed[field.name] { return try body(field) }
    return values[field.name] ?? .null
  }
}

/// Words in the order in which they were added, from any thread.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

struct Boom: Error, CustomStringConvertible {
  var description: String { "boom" }
}
