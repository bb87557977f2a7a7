/// The two-sided function that rewrites concurrent changesets against each other, so that both orders of applying them
/// lead to one state.
///
///     var local = [mine], incoming = [theirs]            // both made on top of the same state
///     let changed = try Transformer().transform(local: &local, incoming: &incoming)
///     state.applying(mine).applying(incoming) == state.applying(theirs).applying(local)
///
/// Guarantee: the server and every client that run this function on the same pairs end equal. Origins decide conflicts
/// (``ChangesetOrigin``), never the order of arrival, so exchanging the two sides gives the exchanged result.
///
/// Every changeset must have its true origin file. A client stores its own changesets with ident 0 and replaces that by
/// its file ident before the transform. A value without shared state: usable from any thread.
///
/// - SeeAlso: `Docs/Algebra.md`, law TP1
public struct Transformer: Sendable {
  /// The set of rules.
  public enum Mode: Sendable {
    /// The rules as intended, which converge.
    case intended
    /// The rules with the known errors of the reference implementation, for comparisons only.
    case reference
  }

  /// The algorithm; both give the same result, instruction by instruction.
  public enum Engine: Sendable {
    /// Every instruction against every other: the definition.
    case plain
    /// Only the pairs that can conflict.
    case fast
  }

  /// The set of rules.
  public var mode: Mode
  /// The algorithm.
  public var engine: Engine

  /// A transformer; by itself the intended rules and the fast engine.
  public init(mode: Mode = .intended, engine: Engine = .fast) {
    self.mode = mode
    self.engine = engine
  }

  /// Rewrites both sides, so that `incoming` can be applied after `local` and `local` after `incoming`.
  ///
  /// - Parameters:
  ///   - local: the receiver's changesets since the common base, oldest first, in their reciprocal forms. Afterwards
  ///     the new reciprocal forms.
  ///   - incoming: the sender's changesets on that base, oldest first. Afterwards the changesets that the receiver
  ///     applies; one of which nothing is left stays at its index, empty.
  /// - Returns: the changesets of either side that differ now; only those reciprocal forms need storing.
  /// - Throws: ``TransformError`` when the sides cannot start from one state; both are then as they were. Never for
  ///   changesets that honest recorders made.
  /// - Complexity: O(*n* + *m*) instructions that address different objects or fields; for one list of *n* and *m* edits
  ///   O((*n* + *m*) √(*n* + *m*)) when it falls into segments, else O(*n* · *m*).
  @discardableResult
  public func transform(
    local: inout [Changeset], incoming: inout [Changeset]
  ) throws(TransformError) -> TransformedChangesets {
    guard local.contains(where: { !$0.isEmpty }), incoming.contains(where: { !$0.isEmpty }) else {
      return TransformedChangesets(local: [], incoming: [])
    }
    var interner = AddressInterner()
    var localBranch: Branch
    var incomingBranch: Branch
    switch engine {
    case .plain:
      localBranch = Branch(local, expected: local.instructionCount, interner: &interner)
      incomingBranch = Branch(incoming, expected: incoming.instructionCount, interner: &interner)
      try PlainEngine.merge(local: &localBranch, incoming: &incomingBranch, mode: mode)
    case .fast:
      (localBranch, incomingBranch) = FastEngine.branches(local, incoming, &interner)
      try FastEngine.merge(local: &localBranch, incoming: &incomingBranch, mode: mode)
    }
    let changed = incomingBranch.write(to: &incoming)
    return TransformedChangesets(
      local: localBranch.write(to: &local).changed, incoming: changed.changed, sources: changed.sources)
  }

  /// The changesets rewritten to follow `base`: the one-sided use of ``transform(local:incoming:)``.
  ///
  /// - Throws: ``TransformError`` as ``transform(local:incoming:)``.
  /// - Complexity: that of ``transform(local:incoming:)``.
  public func rebased(_ changesets: [Changeset], onto base: [Changeset]) throws(TransformError) -> [Changeset] {
    var incoming = changesets
    var local = base
    try transform(local: &local, incoming: &incoming)
    return incoming
  }
}

/// The changesets that a transform changed, as ascending indices of the sequences.
public struct TransformedChangesets: Equatable, Sendable {
  /// The changed local changesets.
  public var local: [Int]
  /// The changed incoming changesets.
  public var incoming: [Int]
  /// For every incoming changeset with dropped or inserted instructions, by its index: the original position of each
  /// instruction that is left. The instructions of all others keep their positions.
  public var sources: [Int: [Int]]

  /// A report.
  public init(local: [Int], incoming: [Int], sources: [Int: [Int]] = [:]) {
    self.local = local
    self.incoming = incoming
    self.sources = sources
  }

  /// The original position of an instruction of a transformed incoming changeset; both counted from 0.
  public func source(ofIncoming changeset: Int, instruction: Int) -> Int {
    guard let sources = sources[changeset] else { return instruction }
    return sources.indices.contains(instruction) ? sources[instruction] : instruction
  }
}

extension Changeset {
  /// The changeset rewritten to follow `others`, which start from the same state.
  ///
  /// - Throws: ``TransformError`` as ``Transformer/transform(local:incoming:)``.
  public func rebased(onto others: [Changeset]) throws(TransformError) -> Changeset {
    let rebased = try Transformer().rebased([self], onto: others)
    return rebased.first ?? Changeset(origin: origin)
  }
}
