/// Names that a reader may have meant.
enum Suggestions {
  /// ` Did you mean "name" or "nickname"?`, or nothing when no name is near. At most three names.
  ///
  /// - Complexity: O(*n*) distances of names up to 64 bytes.
  static func text(_ name: String, among names: some Sequence<String>, prefix: String = "") -> String {
    guard name.utf8.count <= 64 else { return "" }
    let threshold = name.utf8.count * 2 / 5 + 1
    let near = names.compactMap { candidate -> (Int, String)? in
      guard abs(candidate.utf8.count - name.utf8.count) <= threshold, candidate.utf8.count <= 128 else { return nil }
      let distance = distance(Array(name.lowercased().utf8), Array(candidate.lowercased().utf8))
      return distance <= threshold ? (distance, candidate) : nil
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map { "\"\($0.1)\"" }
    guard let last = near.last else { return "" }
    let list = near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last
    return " Did you mean \(prefix)\(list)?"
  }

  /// Insertions, removals and replacements that make one name of the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(previous.count)
      for (column, other) in right.enumerated() {
        let replaced = previous[column] + (byte == other ? 0 : 1)
        current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[right.count]
  }
}
