import DataModel
import QueryLanguage
import RecordStore

/// The path from a queried element to the compared values.
struct TypedPath {
  /// One step.
  enum Step: Hashable {
    case name(String)
    /// A key of a map, or of a dictionary in a mixed value.
    case key(String)
    /// A position in a list in a mixed value.
    case index(Int)
    /// Every element of a collection in a mixed value.
    case all
    case keys
    case values
  }

  /// The property of a collection at the end of the path, in place of its values.
  enum Ending: Hashable {
    case count
    case aggregate(AggregateOperation)
  }

  var steps: [Step] = []
  /// The number of steps up to and including the last collection; nil when there is none.
  var collectionEnd: Int?
  /// The number of steps up to and including the first collection, which a subquery is about; nil when there is none.
  var firstCollectionEnd: Int?
  /// Whether the condition needs to hold for one of many values only.
  var isAny = false
  var ending: Ending?

  /// The path, extended by properties.
  func appending(_ properties: [KeyPathTracer.Step]) -> TypedPath {
    var path = self
    if case .key? = steps.last { violated("Cannot apply key path to Map subscripts.") }
    for property in properties {
      path.steps.append(.name(property.name))
      guard property.isCollection else { continue }
      path.collectionEnd = path.steps.count
      path.firstCollectionEnd = path.firstCollectionEnd ?? path.steps.count
      path.isAny = true
    }
    return path
  }

  /// The path, extended by a step into a collection or mixed value.
  func appending(_ step: Step, isAny: Bool) -> TypedPath {
    var path = self
    path.steps.append(step)
    path.isAny = isAny
    return path
  }

  /// The path, with a property of the collection at its end.
  func ending(in ending: Ending) -> TypedPath {
    var path = self
    path.ending = ending
    path.isAny = false
    return path
  }

  /// The rest of the path from an element of its first collection, which a variable names. The elements of a map are
  /// its values.
  func fromElement(_ variable: String) -> TypedPath {
    guard let first = firstCollectionEnd, let last = collectionEnd else { return self }
    var path = self
    let isOfMap = first < steps.count && steps[first] == .values
    path.steps = [.name(variable)] + steps[(isOfMap ? first + 1 : first)...]
    path.collectionEnd = last > first ? last - first + 1 - (isOfMap ? 1 : 0) : nil
    path.firstCollectionEnd = path.collectionEnd
    path.isAny = isAny && last > first
    return path
  }

  /// The path to the collection as a whole.
  var whole: TypedPath {
    var path = self
    path.isAny = false
    return path
  }

  // MARK: As a tree

  private var elements: [QueryPath.Element] {
    steps.isEmpty ? [QueryPath.Element(.name("self"))] : steps.map { QueryPath.Element($0.step) }
  }

  var expression: QueryExpression {
    guard case .aggregate(let operation)? = ending else {
      return .property(
        PropertyNode(QueryPath(elements), quantifier: isAny ? .any : nil, suffix: ending == .count ? .count : nil))
    }
    let elements = self.elements
    let end = collectionEnd ?? elements.count
    let rest = steps[end...].map(\.text).joined(separator: ".")
    return .aggregate(
      AggregateNode(QueryPath(Array(elements[..<end])), operation, property: rest.isEmpty ? nil : rest))
  }

  // MARK: As text

  func write(to text: inout String, _ arguments: inout [Any]) {
    if isAny { text += "ANY " }
    guard !steps.isEmpty else { return text += "self" }
    let end = collectionEnd ?? steps.count
    for (position, step) in steps.enumerated() {
      switch step {
      case .name, .keys, .values: text += (position > 0 ? "." : "") + step.text
      case .key(let key):
        text += "[%@]"
        arguments.append(key)
      case .index(let index):
        text += "[%@]"
        arguments.append(index)
      case .all:
        text += "[%K]"
        arguments.append("#any")
      }
      if position + 1 == end, case .aggregate(let operation)? = ending { text += ".\(operation.rawValue)" }
    }
    if ending == .count { text += ".@count" }
  }
}

extension TypedPath.Step {
  fileprivate var text: String {
    switch self {
    case .name(let name): name
    case .keys: "@allKeys"
    case .values: "@allValues"
    case .key(let key): key
    case .index(let index): "\(index)"
    case .all: "*"
    }
  }

  fileprivate var step: QueryPath.Step {
    switch self {
    case .name(let name): .name(name)
    case .keys: .keys
    case .values: .values
    case .key(let key): .key(key)
    case .index(let index): .index(index)
    case .all: .all
    }
  }
}
