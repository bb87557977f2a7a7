/// Finds the name that a misspelled one was probably meant to be.
enum NearestName {
  /// The closest of the names, when it is close enough to be worth saying.
  static func of(_ name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in names {
      let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars.prefix(64)))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, wanted.count / 3) else { return nil }
    return best.name
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  private static func editDistance(_ left: [UnicodeScalar], _ right: [UnicodeScalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var before = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row] + [Int](repeating: 0, count: right.count)
      for column in 1...right.count {
        let cost = left[row - 1] == right[column - 1] ? 0 : 1
        current[column] = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          current[column] = min(current[column], before[column - 2] + 1)
        }
      }
      before = last
      last = current
    }
    return last[right.count]
  }
}
