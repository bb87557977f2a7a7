#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A comparison of the bytes of a string, binary or id with a constant.
struct BytesTest: Sendable {
  enum Operation: Sendable {
    case equal, less, lessOrEqual, greater, greaterOrEqual, beginsWith, endsWith, contains, like
  }

  var operation: Operation
  /// The constant, folded when ``folds`` is set.
  var needle: [UInt8]
  /// Letters fold before they are compared: in text ASCII and Latin-1, in binaries ASCII.
  var folds = false
  var isText = true

  func passes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    needle.withUnsafeBufferPointer { needle in passes(text, needle) }
  }

  func passes(_ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
    if folds { return passesFolded(text, needle) }
    switch operation {
    case .equal: return text.count == needle.count && Self.equal(text, 0, needle)
    case .less: return Self.order(text, needle) < 0
    case .lessOrEqual: return Self.order(text, needle) <= 0
    case .greater: return Self.order(text, needle) > 0
    case .greaterOrEqual: return Self.order(text, needle) >= 0
    case .beginsWith: return text.count >= needle.count && Self.equal(text, 0, needle)
    case .endsWith: return text.count >= needle.count && Self.equal(text, text.count - needle.count, needle)
    case .contains: return Self.contains(text, needle)
    case .like: return ByteMatching.like(text, needle, isText: isText)
    }
  }

  private func passesFolded(_ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
    switch operation {
    case .equal: return text.count == needle.count && equalFolded(text, 0, needle)
    case .beginsWith: return text.count >= needle.count && equalFolded(text, 0, needle)
    case .endsWith: return text.count >= needle.count && equalFolded(text, text.count - needle.count, needle)
    case .contains:
      guard text.count >= needle.count else { return false }
      for start in 0...(text.count - needle.count) where equalFolded(text, start, needle) { return true }
      return false
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return false  // Relations take no options.
    case .like:
      var folded = Array(text)
      if isText { CaseFolding.fold(&folded) } else { folded = CaseFolding.bytes(of: folded, .caseInsensitive) }
      return folded.withUnsafeBufferPointer { ByteMatching.like($0, needle, isText: isText) }
    }
  }

  private func equalFolded(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for at in 0..<needle.count {
      let followsLead = isText && start + at > 0 && text[start + at - 1] == 0xC3
      if CaseFolding.folded(text[start + at], followsLead: followsLead) != needle[at] { return false }
    }
    return true
  }

  /// Row `query.in-100k`.
  @inline(__always) static func equal(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for at in 0..<needle.count where text[start + at] != needle[at] { return false }
    return true
  }

  static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, shared)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  static func contains(_ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
    guard needle.count > 0 else { return true }
    guard let base = text.baseAddress else { return false }
    return ByteSearch.firstMatch(of: needle, in: UnsafeRawPointer(base), from: 0, to: text.count) != nil
  }
}
