/// The nodes that active readers of this process need, of those that versions up to ``through`` retired.
struct NodesInUse {
  /// Versions with readers, ascending, each with a number above those of its nodes.
  let versions: [(number: UInt64, end: Int64)]
  let through: UInt64
  /// Nodes retired by later versions may be kept for readers that ended.
  let rescanStart: UInt64?

  /// The nodes, out of those that `version` retired, that some reader needs.
  ///
  /// A node belongs to the versions from the one that wrote it to the one before that which retired it, and numbers only
  /// grow: so the latest reader below `version` needs every node with a number below its end, and older readers need no
  /// others.
  func needed(_ ids: [Int64], retiredBy version: UInt64) -> [Int64] {
    guard version <= through else { return ids }
    guard let end = versions.last(where: { $0.number < version })?.end else { return [] }
    return ids.filter { $0 < end }
  }
}
