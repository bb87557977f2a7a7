import ByteCoding
public import ChangesetOT

/// One vector: concurrent edits of several peers, and the state that all must end with.
public struct VectorCase: Sendable, CustomStringConvertible {
  /// The identifier in its file.
  public let id: String
  /// One line about the conflict.
  public let title: String
  /// Whether the reference implementation misses the expectation.
  public let referenceDiverges: Bool
  let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
    id = json["id"]?.string ?? "?"
    title = json["title"]?.string ?? ""
    referenceDiverges = json["reference_diverges"]?.bool ?? false
  }

  /// Identifier and title.
  public var description: String { "\(id) \(title)" }

  /// Runs the vector in every way that it prescribes.
  ///
  /// - Returns: one line for each expectation that was missed; empty when all hold.
  public func failures(_ transformer: Transformer = Transformer()) -> [String] {
    do {
      switch json["kind"]?.string {
      case "pair": return try PairVector(self).failures(transformer)
      case "scenario": return try ScenarioVector(self).failures(transformer)
      case "error": return try PairVector(self).failures(transformer)
      default: return ["\(id): unknown kind"]
      }
    } catch {
      return ["\(id): \(error)"]
    }
  }
}
