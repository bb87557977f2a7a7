/// Searches in bytes that are already folded.
enum ByteMatching {
  static func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      needle.withUnsafeBufferPointer { needle in BytesTest.contains(text, needle) }
    }
  }

  static func hasSuffix(_ text: [UInt8], _ suffix: [UInt8]) -> Bool {
    text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
  }

  /// Whether a whole text fits a pattern of `?` (one character) and `*` (any run).
  ///
  /// - Parameter isText: whether `?` stands for a whole UTF-8 character and not for a byte.
  /// - Complexity: O(*n* · *m*) at worst, without recursion.
  static func like(_ text: [UInt8], _ pattern: [UInt8], isText: Bool) -> Bool {
    text.withUnsafeBufferPointer { text in
      pattern.withUnsafeBufferPointer { pattern in like(text, pattern, isText: isText) }
    }
  }

  static func like(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, isText: Bool) -> Bool {
    func next(_ at: Int) -> Int {
      var end = at + 1
      while isText, end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
      return end
    }
    var at = 0
    var wanted = 0
    // The next attempt after a mismatch: behind the last star, one character further.
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if wanted < pattern.count, pattern[wanted] == UInt8(ascii: "*") {
        wanted += 1
        star = (wanted, at)
      } else if wanted < pattern.count, pattern[wanted] == UInt8(ascii: "?") {
        wanted += 1
        at = next(at)
      } else if wanted < pattern.count, pattern[wanted] == text[at] {
        wanted += 1
        at += 1
      } else if let retry = star {
        at = next(retry.text)
        wanted = retry.pattern
        star = (retry.pattern, at)
      } else {
        return false
      }
    }
    while wanted < pattern.count, pattern[wanted] == UInt8(ascii: "*") { wanted += 1 }
    return wanted == pattern.count
  }
}
