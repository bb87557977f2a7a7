/// Encrypts and authenticates the content of one store file: nodes, roots and log entries. May be called from any
/// thread.
///
/// Sealed content opens only in the context that it was sealed for: a node under another number, or the root of another
/// version, is refused. Sizes and counts stay visible.
public protocol Sealing: Sendable {
  /// Identifies the key without revealing it; stored in the file in clear.
  var fingerprint: [UInt8] { get }

  /// The sealed form of `content` for a context.
  ///
  /// - Throws: ``StorageError`` with code `ioFailed` when encryption fails.
  func seal(_ content: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8]

  /// The content of a sealed form.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Code/corrupt`` when it was not sealed with this key for this
  ///   context.
  func open(_ sealed: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8]
}

/// A key from which the sealing of a file is derived.
public protocol SealingKey: Sendable {
  /// Equal for equal keys. Never written to any file.
  var fingerprint: [UInt8] { get }

  /// The sealing of the file with that salt: 16 random bytes, created with the file.
  ///
  /// - Throws: ``StorageError`` when the sealing cannot be prepared.
  func sealing(salt: [UInt8]) throws -> any Sealing
}

extension Sealing {
  func seal(_ content: [UInt8], for context: SealingContext) throws -> [UInt8] {
    try content.withUnsafeBytes { try seal($0, for: context) }
  }
}
