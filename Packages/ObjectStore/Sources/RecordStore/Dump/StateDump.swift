public import DataModel

/// Everything a realm holds, as plain values: for comparing replicas and for reading.
///
///     let dump = try file.dump()
///     dump == other                    // same classes, same objects, same values
///     dump.description                 // one line per object
///
/// Links stand by class and key; one whose object does not exist compares equal on every replica that has it.
public struct StateDump: Hashable, Sendable {
  /// One value: of a field, an element or an entry.
  public indirect enum Item: Hashable, Sendable {
    /// A scalar, a link, or a nested collection of a mixed value.
    case value(Value)
    case embedded([String: Item])
    case list([Item])
    case dictionary([String: Item])
    case set(Set<Value>)
  }

  /// Fields by name, objects by key, classes by name. The key field is part of the fields.
  public var objects: [String: [ObjectKey: [String: Item]]]

  /// A dump; by default of an empty file.
  public init(objects: [String: [ObjectKey: [String: Item]]] = [:]) { self.objects = objects }
}

extension StateDump: CustomStringConvertible {
  /// One line per object, sorted by class and key.
  public var description: String {
    objects.sorted { $0.key < $1.key }.map { name, rows in
      rows.map { "\(name)[\($0.key)] " + Item.text($0.value) }.sorted().joined(separator: "\n")
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension StateDump.Item: CustomStringConvertible {
  /// The value as in the notation of changesets.
  public var description: String {
    switch self {
    case .value(.link(let reference)): "→\(reference)"
    case .value(let value): "\(value)"
    case .embedded(let fields): "{" + Self.text(fields) + "}"
    case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .dictionary(let entries): "dict{" + Self.text(entries) + "}"
    case .set(let values): "set{" + values.map { "\($0)" }.sorted().joined(separator: ", ") + "}"
    }
  }

  static func text(_ fields: [String: Self]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }
}
