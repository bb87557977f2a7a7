import CStorageSupport
import Glibc
import Synchronization

/// Notifies of writes of other processes to files. One inotify queue of the kernel and one thread serve all files of
/// this process, since the kernel limits the queues of a user. May be used from any thread.
final class FileWatches: Sendable {
  static let shared = FileWatches()

  private struct State {
    /// The kernel's queue; nil before the first watch.
    var descriptor: Int32?
    var next = 0
    /// By the kernel's number for the file, which several watches of one file share.
    var handlers: [Int32: [Int: @Sendable () -> Void]] = [:]
  }

  private let state = Mutex(State())

  /// A watch on a file, until it is cancelled.
  struct Watch: Sendable {
    fileprivate let file: Int32
    fileprivate let number: Int
  }

  /// Calls `handler` on the watching thread after writes to a file, once for several in quick succession. The handler
  /// must not block.
  ///
  /// - Throws: ``StorageError`` with code `ioFailed` when the kernel refuses, as at the user's limit of watches.
  func add(_ path: String, _ handler: @escaping @Sendable () -> Void) throws -> Watch {
    try state.withLock { state in
      let descriptor = try state.descriptor ?? start()
      state.descriptor = descriptor
      let file = storage_watch_add(descriptor, path)
      guard file >= 0 else { throw Self.failure(-file) }
      state.next += 1
      state.handlers[file, default: [:]][state.next] = handler
      return Watch(file: file, number: state.next)
    }
  }

  /// Ends a watch; a call that is under way may still finish.
  func cancel(_ watch: Watch) {
    state.withLock { state in
      state.handlers[watch.file]?[watch.number] = nil
      guard let descriptor = state.descriptor, state.handlers[watch.file]?.isEmpty == true else { return }
      state.handlers[watch.file] = nil
      storage_watch_remove(descriptor, watch.file)
    }
  }

  /// Opens the kernel's queue and starts the thread that reads it for as long as the process lives.
  private func start() throws -> Int32 {
    let descriptor = storage_watches_open()
    guard descriptor >= 0 else { throw Self.failure(-descriptor) }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { _ in
        FileWatches.shared.run()
        return nil
      }, nil)
    guard code == 0 else {
      Glibc.close(descriptor)
      throw Self.failure(code)
    }
    pthread_detach(thread)
    return descriptor
  }

  private func run() {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return }
    var files = [Int32](repeating: 0, count: 256)
    while true {
      let count = storage_watch_wait(descriptor, &files, Int32(files.count))
      guard count >= 0 else { return }
      for file in Set(files.prefix(Int(count))) { tell(file) }
    }
  }

  /// Calls the handlers of a file.
  ///
  /// - Parameter file: the kernel's number; -1 when the kernel dropped events, so that any file may have been
  ///   written.
  private func tell(_ file: Int32) {
    let handlers = state.withLock { state in
      file < 0 ? state.handlers.values.flatMap(\.values) : (state.handlers[file] ?? [:]).map(\.value)
    }
    for handler in handlers { handler() }
  }

  private static func failure(_ code: Int32) -> StorageError {
    StorageError(
      .ioFailed,
      "Could not watch for commits of other processes: \(String(cString: strerror(code))). Raise the limit of watches.")
  }
}
