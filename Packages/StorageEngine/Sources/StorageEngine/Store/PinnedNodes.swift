/// Which nodes the pins of this process need, of those that versions up to ``through`` retired.
struct PinnedNodes {
  /// Versions ascending, and a number above those of their nodes.
  let pins: [(version: UInt64, end: Int64)]
  let through: UInt64
  /// Entries of later versions may be kept for pins that are gone.
  let revisit: UInt64?

  /// The numbers, out of those that `version` retired, that some pin needs. A node belongs to the versions from the
  /// one that wrote it to the one before that which retired it, and numbers only grow: so the latest pin below
  /// `version` needs what was written by then, and older pins need no more.
  func needed(_ ids: [Int64], retiredBy version: UInt64) -> [Int64] {
    guard version <= through else { return ids }
    guard let end = pins.last(where: { $0.version < version })?.end else { return [] }
    return ids.filter { $0 < end }
  }
}
