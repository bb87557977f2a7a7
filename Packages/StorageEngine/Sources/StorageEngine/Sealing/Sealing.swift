/// Encrypts and authenticates what the store writes: nodes, log entries and records.
///
/// The number and version are bound to the content by an implementation that authenticates, so that content cannot
/// be moved. Sizes and counts stay visible.
public protocol Sealing: Sendable {
  /// Tells sealings apart without telling their keys: equal for equal keys, kept in the file in clear.
  var fingerprint: [UInt8] { get }

  /// The sealed form of `content`.
  ///
  /// - Parameters:
  ///   - number: what is sealed: a node's number, or a hash of log name and position, or of a record's name.
  ///   - version: 0 for nodes, whose numbers are never reused.
  func seal(_ content: [UInt8], number: Int64, version: UInt64) throws -> [UInt8]

  /// The content of the sealed form.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Code/corrupt`` when it was not sealed by this key under this number.
  func open(_ sealed: UnsafeRawBufferPointer, number: Int64, version: UInt64) throws -> [UInt8]
}
