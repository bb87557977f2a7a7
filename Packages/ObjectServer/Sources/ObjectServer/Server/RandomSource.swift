import Synchronization

/// The server's only source of randomness: a generator behind a lock, so that a simulation can seed it.
public final class RandomSource: Sendable {
  private struct Box {
    var generator: any RandomNumberGenerator & Sendable
  }
  private let box: Mutex<Box>

  /// Randomness from `generator`: a secure one in production, a seeded one in simulation.
  public init(_ generator: any RandomNumberGenerator & Sendable) { box = Mutex(Box(generator: generator)) }

  /// 64 random bits.
  public func next() -> UInt64 { box.withLock { $0.generator.next() } }

  /// Random text of lower-case hexadecimal digits.
  func hex(digits: Int) -> String {
    var text = ""
    while text.utf8.count < digits {
      let part = String(next(), radix: 16)
      text += String(repeating: "0", count: 16 - part.utf8.count) + part
    }
    return String(text.prefix(digits))
  }
}

extension RandomSource {
  /// The source as a generator of the standard library.
  struct Generator: RandomNumberGenerator {
    let source: RandomSource
    mutating func next() -> UInt64 { source.next() }
  }
}
