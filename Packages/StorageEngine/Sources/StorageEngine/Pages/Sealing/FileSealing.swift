import Cryptography
import Synchronization

/// The sealing of one encrypted file. May be used from any thread.
///
///     nonce                 24 bytes, random for every writing
///     cipher text           as long as the content
///     tag                   16 bytes, over the cipher text and the context
final class FileSealing: Sealing {
  static let overhead = XAES256GCM.nonceByteCount + XAES256GCM.tagByteCount

  let fingerprint: [UInt8]
  private let key: [UInt8]
  private let idle: Mutex<[Worker]>

  /// A cipher with its contexts.
  private final class Worker: @unchecked Sendable {
    // @unchecked: one thread at a time has a worker, which it took out of the pool.
    let cipher: XAES256GCM
    init(key: [UInt8]) throws { cipher = try XAES256GCM(key: key) }
  }

  init(key: [UInt8], fingerprint: [UInt8]) throws {
    self.key = key
    self.fingerprint = fingerprint
    let first = try Worker(key: key)
    idle = Mutex([first])
  }

  private func withCipher<R>(_ body: (XAES256GCM) throws -> R) throws -> R {
    let worker = try idle.withLock { $0.popLast() } ?? Worker(key: key)
    defer { idle.withLock { if $0.count < 8 { $0.append(worker) } } }
    return try body(worker.cipher)
  }

  func seal(_ content: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8] {
    do {
      return try withCipher { cipher in
        try [UInt8](unsafeUninitializedCapacity: content.count + Self.overhead) { output, count in
          let output = UnsafeMutableRawBufferPointer(output)
          let nonce = UnsafeMutableRawBufferPointer(rebasing: output[..<XAES256GCM.nonceByteCount])
          try SecureRandom.fill(nonce)
          try context.bytes.withUnsafeBytes { context in
            try cipher.seal(
              content, nonce: UnsafeRawBufferPointer(nonce), associated: context,
              into: UnsafeMutableRawBufferPointer(rebasing: output[XAES256GCM.nonceByteCount...]))
          }
          count = content.count + Self.overhead
        }
      }
    } catch let error as CryptographyError {
      throw StorageError(.ioFailed, "What is to be written could not be encrypted; nothing was written.", cause: error)
    }
  }

  func open(_ sealed: UnsafeRawBufferPointer, for context: SealingContext) throws -> [UInt8] {
    guard sealed.count >= Self.overhead else { throw Self.broken(context, nil) }
    do {
      return try withCipher { cipher in
        try [UInt8](unsafeUninitializedCapacity: sealed.count - Self.overhead) { output, count in
          try context.bytes.withUnsafeBytes { context in
            try cipher.open(
              UnsafeRawBufferPointer(rebasing: sealed[XAES256GCM.nonceByteCount...]),
              nonce: UnsafeRawBufferPointer(rebasing: sealed[..<XAES256GCM.nonceByteCount]), associated: context,
              into: UnsafeMutableRawBufferPointer(output))
          }
          count = sealed.count - Self.overhead
        }
      }
    } catch let error as CryptographyError {
      throw Self.broken(context, error)
    }
  }

  private static func broken(_ context: SealingContext, _ cause: CryptographyError?) -> StorageError {
    StorageError(
      .corrupt,
      "The seal of \(context) is broken: the file was damaged or changed. Restore it from a backup or its server.",
      cause: cause)
  }
}
