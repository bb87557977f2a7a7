import CTestKit
import Foundation

/// A stream that a child can hold: a pipe, a file, or ``Foundation/FileHandle/nullDevice``.
public protocol ChildStream: AnyObject, Sendable {
  /// The descriptor for the child; nil is the null device.
  func childDescriptor(isInput: Bool) -> Int32?
  /// Closes this process's copy of the child's end, when the child alone uses it.
  func closeChildEnd(isInput: Bool)
}

extension Pipe: ChildStream {
  /// The end that a child reads from or writes to.
  public func childDescriptor(isInput: Bool) -> Int32? {
    (isInput ? fileHandleForReading : fileHandleForWriting).fileDescriptor
  }
  /// Closes the end that the child has.
  public func closeChildEnd(isInput: Bool) { try? (isInput ? fileHandleForReading : fileHandleForWriting).close() }
}

extension FileHandle: ChildStream {
  /// The file's descriptor; nil for the null device.
  public func childDescriptor(isInput: Bool) -> Int32? { self === FileHandle.nullDevice ? nil : fileDescriptor }
  /// Nothing: the file stays with whoever opened it.
  public func closeChildEnd(isInput: Bool) {}
}

/// Everything that a ``ChildProcess`` is started with.
struct ChildSettings: Sendable {
  var executableURL: URL?
  var arguments: [String]?
  var environment: [String: String]?
  var currentDirectoryURL: URL?
  var streams: [(any ChildStream)?] = [nil, nil, nil]

  /// Starts the program in a group of its own, with no descriptor but the three streams.
  func spawn() throws -> pid_t {
    let words = CStrings([executableURL?.path ?? ""] + (arguments ?? []))
    let variables = CStrings((environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" })
    let descriptors = streams.enumerated().map { number, stream -> Int32 in
      guard let stream else { return Int32(TEST_STREAM_INHERITED) }
      return stream.childDescriptor(isInput: number == 0) ?? Int32(TEST_STREAM_NULL)
    }
    var identifier: pid_t = 0
    let error = test_spawn(
      &identifier, executableURL?.path ?? "", words.pointers, variables.pointers, currentDirectoryURL?.path, descriptors
    )
    if error != 0 { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    return identifier
  }
}

/// Texts as C wants them, as long as it lives.
private final class CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]
  init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }
  deinit { for pointer in pointers { free(pointer) } }
}
