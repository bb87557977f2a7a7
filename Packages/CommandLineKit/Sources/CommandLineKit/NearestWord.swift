/// Finds the known word that a mistyped one probably meant.
public enum NearestWord {
  /// The candidate with the fewest edits, if those are few for the length; a candidate that the word
  /// abbreviates also counts. Equal candidates: the first.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    let allowed = max(1, typed.count / 3)
    var best: (distance: Int, word: String)?
    for candidate in candidates {
      let known = Array(candidate.lowercased())
      var distance = distance(typed, known)
      if typed.count >= 2, known.starts(with: typed) { distance = min(distance, 1) }
      if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  /// The end of a sentence about an unknown word: `; did you mean 'Dog'?`, or nothing.
  public static func suggestion(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var older = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1] + [Int](repeating: 0, count: right.count)
      for j in right.indices {
        let same = left[i] == right[j]
        current[j + 1] = min(previous[j] + (same ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          current[j + 1] = min(current[j + 1], older[j - 1] + 1)
        }
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
