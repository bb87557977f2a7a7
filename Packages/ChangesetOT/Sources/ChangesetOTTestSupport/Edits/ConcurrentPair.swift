public import ChangesetOT
import TestKit

/// Changesets of two authors on one base, as honest recorders write them.
public struct ConcurrentPair: Sendable {
  /// The common base.
  public var base: ModelState
  /// The changesets of the first author, oldest first.
  public var a: [Changeset] = []
  /// The changesets of the second author, oldest first.
  public var b: [Changeset] = []

  /// A random pair of one to three changesets each.
  ///
  /// - Parameter edits: the most edits of one changeset.
  /// - Throws: ``ModelError`` when the generator made an edit that cannot be applied: a bug of the generator.
  public init(seed: UInt64, weights: EditGenerator.Weights = EditGenerator.Weights(), edits: Int = 4) throws {
    var random = SeededGenerator(seed: seed &+ 0x5EED)
    base = .sample()
    // A few shared edits first, so that bases differ.
    var before = EditGenerator(seed: seed, author: FileIdent(9), weights: weights)
    _ = try before.transaction(on: &base, edits: random.below(6))
    a = try Self.changesets(seed, FileIdent(2), base, &random, weights, edits)
    b = try Self.changesets(seed, FileIdent(3), base, &random, weights, edits)
  }

  private static func changesets(
    _ seed: UInt64, _ author: FileIdent, _ base: ModelState, _ random: inout SeededGenerator,
    _ weights: EditGenerator.Weights, _ edits: Int
  ) throws -> [Changeset] {
    var generator = EditGenerator(seed: seed, author: author, weights: weights)
    var state = base
    return try (0...random.below(3)).map { _ in
      let time = OriginTimestamp(UInt64(random.below(20)))
      return Changeset(
        instructions: try generator.transaction(on: &state, edits: random.below(edits) + 1),
        origin: ChangesetOrigin(timestamp: time, file: author))
    }
  }

  /// Both sides, one line per instruction.
  public var text: String {
    "a at \(a.map(\.origin.timestamp.rawValue)):\n\(a.map(\.description).joined(separator: "\n--\n"))\n"
      + "b at \(b.map(\.origin.timestamp.rawValue)):\n\(b.map(\.description).joined(separator: "\n--\n"))"
  }
}
