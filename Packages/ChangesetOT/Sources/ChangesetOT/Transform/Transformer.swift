/// The two-sided function that carries concurrent changesets over each other, so that both orders of applying them
/// lead to one state.
///
///     var local = [mine], incoming = [theirs]            // both made on top of the same state
///     let changed = try Transformer().transform(local: &local, incoming: &incoming)
///     state.applying(mine).applying(incoming) == state.applying(theirs).applying(local)
///
/// The server and every client run this same function on the same pairs, once on each side; nothing else is needed
/// for all to end equal. Times decide conflicts (``ChangesetOrigin``), never the order of arrival, so neither side
/// is special: exchanging the two gives the exchanged result.
///
/// Every changeset must carry its true origin file. A client's own changesets are stored with ident 0 and must be
/// given the client's ident before they come here.
/// - SeeAlso: `Docs/Algebra.md`, law TP1
public struct Transformer: Sendable {
  /// Whose rules apply.
  public enum Mode: Sendable {
    /// The rules as intended, which converge.
    case intended
    /// The rules with the reference implementation's known slips, for comparisons only.
    case reference
  }

  /// Which algorithm computes the result; both give the same, instruction by instruction.
  public enum Engine: Sendable {
    /// Every instruction against every other: the law.
    case plain
    /// Only instructions that can meet.
    case fast
  }

  public var mode: Mode
  public var engine: Engine

  public init(mode: Mode = .intended, engine: Engine = .fast) {
    self.mode = mode
    self.engine = engine
  }

  /// Rewrites both sides, so that `incoming` can be applied after `local` and `local` after `incoming`.
  ///
  /// - Parameters:
  ///   - local: the receiver's changesets since the common base, oldest first, in their reciprocal forms. Afterwards
  ///     the new reciprocal forms.
  ///   - incoming: the sender's changesets on that base, oldest first. Afterwards what the receiver applies. A
  ///     changeset of which nothing is left stays in its place, empty.
  /// - Returns: which changesets of either side are different now; only those reciprocal forms need storing.
  /// - Throws: ``TransformError``; both sides are then as they were. Never for changesets that honest recorders made.
  /// - Complexity: O(*n* + *m*) instructions that touch different objects or fields.
  @discardableResult
  public func transform(
    local: inout [Changeset], incoming: inout [Changeset]
  ) throws(TransformError) -> TransformedChangesets {
    guard local.contains(where: { !$0.isEmpty }), incoming.contains(where: { !$0.isEmpty }) else {
      return TransformedChangesets(local: [], incoming: [])
    }
    var names = Names()
    var localBranch: Branch
    var incomingBranch: Branch
    switch engine {
    case .plain:
      localBranch = Branch(local, expected: local.instructionCount, names: &names)
      incomingBranch = Branch(incoming, expected: incoming.instructionCount, names: &names)
      try PlainEngine.merge(local: &localBranch, incoming: &incomingBranch, mode: mode)
    case .fast:
      (localBranch, incomingBranch) = FastEngine.branches(local, incoming, &names)
      try FastEngine.merge(local: &localBranch, incoming: &incomingBranch, mode: mode)
    }
    let changed = incomingBranch.write(to: &incoming)
    return TransformedChangesets(
      local: localBranch.write(to: &local).changed, incoming: changed.changed, sources: changed.sources)
  }

  /// What is left of `changesets` when they are applied after `base`; one-sided use of
  /// ``transform(local:incoming:)``.
  public func rebased(_ changesets: [Changeset], onto base: [Changeset]) throws(TransformError) -> [Changeset] {
    var incoming = changesets
    var local = base
    try transform(local: &local, incoming: &incoming)
    return incoming
  }
}

/// Which changesets a transform changed, by their places in the sequences, ascending.
public struct TransformedChangesets: Equatable, Sendable {
  public var local: [Int]
  public var incoming: [Int]
  /// For every incoming changeset that has lost or gained instructions, by its place: where each of those that are left
  /// stood in it before. The instructions of all others stand where they stood.
  public var sources: [Int: [Int]]

  public init(local: [Int], incoming: [Int], sources: [Int: [Int]] = [:]) {
    self.local = local
    self.incoming = incoming
    self.sources = sources
  }

  /// Where an instruction of a transformed incoming changeset stood before; both counted from 0.
  public func source(ofIncoming changeset: Int, instruction: Int) -> Int {
    guard let sources = sources[changeset] else { return instruction }
    return sources.indices.contains(instruction) ? sources[instruction] : instruction
  }
}

extension Changeset {
  /// This changeset rewritten to follow `others`, which start from the same state.
  public func rebased(onto others: [Changeset]) throws(TransformError) -> Changeset {
    let rebased = try Transformer().rebased([self], onto: others)
    return rebased.first ?? Changeset(origin: origin)
  }
}
