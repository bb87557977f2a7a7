import CStorageSupport
import Glibc
import Synchronization

/// Tells when other processes write files: one queue of the kernel and one thread for all files of this process, since
/// a user may have few such queues.
final class FileWatches: Sendable {
  static let shared = FileWatches()

  private struct State {
    /// The kernel's queue; nil until the first watch.
    var descriptor: Int32?
    var next = 0
    /// By the kernel's number for the file, which several watches of one file share.
    var handlers: [Int32: [Int: @Sendable () -> Void]] = [:]
  }

  private let state = Mutex(State())

  /// One watch; ends when cancelled.
  struct Watch: Sendable {
    fileprivate let file: Int32
    fileprivate let number: Int
  }

  /// Calls `handler` on the watching thread whenever the file was written; it must not wait for anything. Several
  /// writes in quick succession may come as one.
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

  /// Opens the kernel's queue and begins the thread that waits for it as long as the process lives.
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

  /// - Parameter file: the kernel's number; -1 when it lost count, and any file may have been written.
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
