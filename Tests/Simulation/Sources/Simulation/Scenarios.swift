import Foundation

extension Scenario {
  /// The scenarios of a file.
  ///
  /// - Throws: an error of Foundation when the file cannot be read; `DecodingError` for a key that scenarios do not
  ///   have.
  public static func table(_ file: URL = standardTable) throws -> [Scenario] {
    try JSONDecoder().decode([Scenario].self, from: Data(contentsOf: file))
  }

  /// `Scenarios.json` of the repository.
  public static let standardTable = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scenarios.json")

  /// The scenario of a text: its JSON, or its name in the table.
  ///
  /// - Throws: ``UnknownScenario`` for a name that is not in the table; `DecodingError` for JSON of no scenario.
  public static func named(_ text: String, in table: [Scenario]) throws -> Scenario {
    if text.hasPrefix("{") { return try JSONDecoder().decode(Scenario.self, from: Data(text.utf8)) }
    guard let scenario = table.first(where: { $0.name == text }) else {
      throw UnknownScenario(name: text, known: table.map(\.name))
    }
    return scenario
  }

  /// The error of a name that is not in the table.
  public struct UnknownScenario: Error, CustomStringConvertible {
    var name: String
    var known: [String]
    /// The names that exist.
    public var description: String {
      "there is no scenario '\(name)'; there are: \(known.joined(separator: "; "))"
    }
  }

  /// The scenario of a seed; each comes in turn.
  public static func of(seed: UInt64, in table: [Scenario]) -> Scenario {
    precondition(!table.isEmpty, "a table of scenarios is not empty")
    return table[Int(seed % UInt64(table.count))]
  }
}
