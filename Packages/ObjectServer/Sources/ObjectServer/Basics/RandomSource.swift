import Synchronization

/// The server's only source of randomness: a generator behind a lock, which a simulation can seed. From any thread.
public final class RandomSource: Sendable {
  private struct Box {
    var generator: any RandomNumberGenerator & Sendable
  }
  private let box: Mutex<Box>

  /// A source that draws from `generator`: a secure one in production, a seeded one in simulation.
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
  /// A salt of versions and client files: 1 to 2^63 - 1.
  package func salt() -> Int64 { max(1, Int64(next() >> 1)) }

  /// The source as a generator of the standard library.
  struct Generator: RandomNumberGenerator {
    let source: RandomSource
    mutating func next() -> UInt64 { source.next() }
  }
}
