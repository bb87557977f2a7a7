import Cryptography
import Foundation
public import Telemetry

/// The keys that all nodes of a cluster have, by the names of their files in the folder `keys`: `directory.key`, which seals the
/// directory, `token.key`, which signs tokens, `token-<seconds>.key`, which signed before, and `token-next.key`, which will sign.
public struct KeyFiles: Hashable, Sendable {
  static let directory = "directory.key"
  static let signing = "token.key"
  static let next = "token-next.key"
  /// The longest key: an RSA key of 16,384 bits in PEM has 13,000 bytes.
  static let maximumBytes = 32 << 10

  /// The texts of the files, by name. Other names are no keys of a cluster.
  public private(set) var texts: [String: String] = [:]

  /// No keys.
  public init() {}

  /// Keys from another place than a folder. Names that are none of a cluster's keys, and texts that are too long, are passed over.
  public init(_ texts: [String: String]) {
    self.texts = texts.filter { Self.isKey($0.key) && $0.value.utf8.count <= Self.maximumBytes }
  }

  /// The keys in a folder, which may not be there.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when a file cannot be read.
  public init(folder: String) throws(ServerError) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where Self.isKey(name) {
      texts[name] = try SecretFile.read(folder + "/" + name)
    }
  }

  private static func isKey(_ name: String) -> Bool {
    [directory, signing, next].contains(name) || name.wholeMatch(of: /token-[0-9]{1,15}\.key/) != nil
  }

  // MARK: Fingerprints

  /// The name of the key that signs, as it stands in tokens; nil when there is none. It tells nothing about the key.
  public var signingFingerprint: String? { texts[Self.signing].map(ServerKeys.identifier) }
  /// Those of the keys that signed before, and of the one that will sign.
  public var otherFingerprints: Set<String> {
    Set(texts.filter { $0.key != Self.directory && $0.key != Self.signing }.values.map(ServerKeys.identifier))
  }
  /// Whether there is a key that seals the directory, and one that signs tokens.
  public var isComplete: Bool { texts[Self.directory] != nil && texts[Self.signing] != nil }
  /// The key that seals the directory.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when there is none, or it cannot be used.
  public func directoryKey() throws(ServerError) -> DirectoryKey {
    try DirectoryKey(text: texts[Self.directory] ?? "", path: Self.directory)
  }
  /// Whether another set has the same key of the directory, or one of them has none.
  public func mayShareDirectory(with other: KeyFiles) -> Bool {
    guard let own = texts[Self.directory], let others = other.texts[Self.directory] else { return true }
    return ServerKeys.identifier(of: own) == ServerKeys.identifier(of: others)
  }

  // MARK: Changing

  /// Makes the keys that are missing.
  public mutating func makeMissing(_ random: RandomSource) {
    for name in [Self.directory, Self.signing] where texts[name] == nil { texts[name] = Self.newKey(random) }
  }

  /// These keys, with those of `other` that have other names.
  public func merging(_ other: KeyFiles) -> KeyFiles {
    var merged = self
    merged.texts.merge(other.texts) { own, _ in own }
    return merged
  }

  /// Makes the key that will sign, whose tokens are good from now on, so that others know it before they meet it.
  public mutating func prepareRotation(_ random: RandomSource) { texts[Self.next] = Self.newKey(random) }

  /// Puts the key that will sign in the place of the one that signs, which verifies on. Without either nothing changes.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - overlap: the time for which access tokens of the old key are good.
  public mutating func finishRotation(at now: WallTime, overlap: Duration) {
    guard let old = texts[Self.signing], let new = texts[Self.next] else { return }
    var end = (now + overlap).secondsSince1970
    while texts["token-\(end).key"] != nil { end += 1 }
    texts["token-\(end).key"] = old
    texts[Self.signing] = new
    texts[Self.next] = nil
  }

  private static func newKey(_ random: RandomSource) -> String { random.hex(digits: 64) + "\n" }

  // MARK: Writing

  /// Makes a folder have these keys and no others. A key that signs is written after those that signed before, so a crash leaves keys that
  /// verify all tokens there are.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  public func write(to folder: String) throws(ServerError) {
    try PrivateFolder.make(folder)
    let present = try KeyFiles(folder: folder)
    let order = texts.keys.filter { $0 != Self.signing }.sorted() + [Self.signing]
    for name in order where present.texts[name] != texts[name] {
      if let text = texts[name] { try SecretFile.write(text, to: folder + "/" + name) }
    }
    for name in present.texts.keys where texts[name] == nil {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }
}
