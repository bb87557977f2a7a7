extension String {
  /// The text as it stands in a sentence for people: of one that is longer than 64 characters the beginning.
  ///
  /// Peers choose names, and a reason is made for each write that is refused. Characters are those of Unicode that are encoded, of
  /// four bytes at most.
  ///
  /// - Complexity: O(1).
  var shortened: String {
    guard let end = unicodeScalars.index(startIndex, offsetBy: 64, limitedBy: endIndex), end < endIndex else {
      return self
    }
    return String(unicodeScalars[..<end]) + "…"
  }
}
