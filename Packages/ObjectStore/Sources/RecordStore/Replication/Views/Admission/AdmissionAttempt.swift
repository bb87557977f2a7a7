import ChangesetOT

/// The number of times that a batch was judged in vain, as its refusals were found too late, and what follows for the next time.
///
/// First a refusal never counts against later changesets: these wait for the next attempt. Then everything is judged in each
/// attempt. A refusal can take ground from another one all the same, again and again: after a few of these, all that may depend on others
/// is refused from the first changeset on in which something was found since, and last everything. So there is an end.
struct AdmissionAttempt {
  /// Attempts in which changesets behind a late refusal wait for the next one.
  static let exact = 64
  /// Attempts after these in which everything is judged.
  static let joint = 8
  /// Attempts after these in which only what decides alone is judged.
  static let alone = 4

  /// The objects that may be looked at, in all attempts together since the first in which something was refused too late.
  private(set) var holders: HolderBudget
  /// Those that were left when something was refused too late, or at first.
  private var left: Int
  private var failures = 0
  /// The first changeset with a late refusal, since only what decides alone is judged, or shortly before.
  private var first = Int.max

  /// No failures.
  init(_ holders: HolderBudget) { (self.holders, left) = (holders, holders.left) }

  /// No failures of a batch.
  init(_ batch: UploadBatch) { self.init(HolderBudget(batch)) }

  /// Whether what was found too late never counts against later changesets.
  var isExact: Bool { failures < Self.exact }

  /// The place of the first changeset from which on what may depend on others is refused at once, or everything; nil when
  /// there is none.
  var rest: (offset: Int, isWhole: Bool)? {
    let beyond = failures - Self.exact - Self.joint
    if beyond < 0 { return nil }
    // Before the first one an attempt does what the last one did. Should that be wrong, nothing is left to be judged.
    return (beyond > Self.alone ? 0 : first, beyond >= Self.alone)
  }

  /// Begins another attempt: one that came to nothing for another batch took nothing from this one.
  mutating func begin() { holders = HolderBudget(left) }

  /// Counts an attempt that found refusals too late.
  mutating func fail(with late: [RefusedPart: Refused]) {
    left = holders.left
    failures += 1
    guard failures >= Self.exact + Self.joint else { return }
    first = min(first, late.values.lazy.map(\.offset).min() ?? 0)
  }
}
