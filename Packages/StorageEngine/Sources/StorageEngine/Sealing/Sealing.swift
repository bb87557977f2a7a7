/// Encrypts and authenticates what one store file holds: nodes, roots and log entries.
///
/// What is sealed opens only where it was sealed: content that was moved to another place, or another version of the
/// root, is refused. Sizes and counts stay visible.
public protocol Sealing: Sendable {
  /// Tells whether the key is that of the file, without telling the key; kept in the file in clear.
  var fingerprint: [UInt8] { get }

  /// The sealed form of `content`, for one place of the file.
  func seal(_ content: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8]

  /// The content of the sealed form.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Code/corrupt`` when it was not sealed by this key for this place.
  func open(_ sealed: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8]
}

/// Makes the sealing of a file; what a store is opened with.
public protocol SealingKey: Sendable {
  /// Equal for equal keys. Never written anywhere.
  var fingerprint: [UInt8] { get }

  /// The sealing of the file with that salt: 16 random bytes, made with the file.
  func sealing(salt: [UInt8]) throws -> any Sealing
}

/// What is sealed, and so may not be moved.
public enum SealedPlace: Hashable, Sendable {
  /// A node under its number.
  case node(Int64)
  /// The root of a version.
  case root(version: UInt64)
  /// An entry of a log, which another one is before; nil in files of formats before 6, where that is not said.
  case entry(log: String, position: Int64, after: Int64?)
  /// A record outside of snapshots, which files of formats before 6 have.
  case record(String)

  /// Different for different places.
  public var bytes: [UInt8] {
    var bytes: [UInt8]
    switch self {
    case .node(let number): bytes = Self.start(1, UInt64(bitPattern: number))
    case .root(let version): bytes = Self.start(2, version)
    case .entry(let log, let position, nil): bytes = Self.start(3, UInt64(bitPattern: position)) + Array(log.utf8)
    case .entry(let log, let position, let previous?):
      let gap = Self.start(5, UInt64(bitPattern: position &- previous))
      bytes = gap + Self.start(3, UInt64(bitPattern: position)) + Array(log.utf8)
    case .record(let name): bytes = Self.start(4, 0) + Array(name.utf8)
    }
    return bytes
  }

  private static func start(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 9) { bytes, count in
      bytes[0] = kind
      for index in 0..<8 { bytes[index + 1] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8)) }
      count = 9
    }
  }
}

extension Sealing {
  func seal(_ content: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    try content.withUnsafeBytes { try seal($0, at: place) }
  }
}

extension SealedPlace: CustomStringConvertible {
  public var description: String {
    switch self {
    case .node(let number): "node \(number)"
    case .root(let version): "root of version \(version)"
    case .entry(let log, let position, _): "entry \(position) of '\(log)'"
    case .record(let name): "record '\(name)'"
    }
  }
}
