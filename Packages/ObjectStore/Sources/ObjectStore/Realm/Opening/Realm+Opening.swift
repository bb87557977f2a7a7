public import Dispatch
import Foundation
import Synchronization
import RecordStore

extension Realm {
  /// Whether opening a synchronised realm waits for the download of the server's state. Local realms never wait.
  public enum OpenBehavior: Sendable {
    /// Open the local state.
    case never
    /// Wait for the server's state as it was when the opening began; fail without a connection.
    case always
    /// As ``always`` when there is no file or its first download was not completed, as ``never`` otherwise.
    case once
  }

  /// Opens a realm for the main actor.
  ///
  /// - Parameter timeout: the longest wait for the download in seconds; nil for any.
  /// - Throws: ``Realm/Error``, `CancellationError`, `POSIXError` with code `ETIMEDOUT`, and the error of the download.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior,
    timeout: TimeInterval? = nil
  ) async throws {
    view = try await PendingOpening(configuration, timeout: timeout).view(.main, downloadBeforeOpen)
  }

  /// Opens a realm for an actor, to which all its use must be isolated.
  ///
  /// - Parameter timeout: the longest wait for the download in seconds; nil for any.
  /// - Throws: ``Realm/Error``, `CancellationError`, `POSIXError` with code `ETIMEDOUT`, and the error of the download.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A, downloadBeforeOpen: OpenBehavior = .never,
    timeout: TimeInterval? = nil
  ) async throws {
    view = try await PendingOpening(configuration, timeout: timeout).view(Confinement(actor), downloadBeforeOpen)
  }

  /// Opens a realm for the actor that the caller is isolated to.
  ///
  /// - Parameter timeout: the longest wait for the download in seconds; nil for any.
  /// - Throws: ``Realm/Error``, `CancellationError`, `POSIXError` with code `ETIMEDOUT`, and the error of the download.
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation actor: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never, timeout: TimeInterval? = nil
  ) async throws -> Realm {
    Realm(try await PendingOpening(configuration, timeout: timeout).view(Confinement(actor), downloadBeforeOpen))
  }

  /// Opens a realm in the background: migrates and compacts its file, and for a synchronised realm waits for the
  /// server's state as it was when the opening began.
  ///
  /// - Parameters:
  ///   - callbackQueue: the serial queue to which the realm is confined, and on which `callback` runs.
  ///   - timeout: the longest wait for the download in seconds, after which the error is `POSIXError` with code `ETIMEDOUT`;
  ///     nil for any. Without a connection the wait goes on until there is one.
  ///   - callback: called once with the realm or the error; not after ``AsyncOpenTask/cancel()``.
  /// - Returns: the opening, which goes on also when this is dropped.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    timeout: TimeInterval? = nil, callback: @escaping (Realm?, (any Swift.Error)?) -> Void
  ) -> AsyncOpenTask {
    asyncOpen(configuration: configuration, callbackQueue: callbackQueue, timeout: timeout) { result in
      switch result {
      case .success(let realm): callback(realm, nil)
      case .failure(let error): callback(nil, error)
      }
    }
  }

  /// `asyncOpen(configuration:callbackQueue:timeout:callback:)`, with the outcome as
  /// a `Result`.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    timeout: TimeInterval? = nil, callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let opening = PendingOpening(configuration, timeout: timeout)
    let answer = OpeningAnswer(callback: callback)
    opening.task.withLock { task in
      task = Task.detached {
        var failure: (any Swift.Error)?
        do { try await opening.prepare(.always, waitsForConnection: true) } catch { failure = error }
        let found = failure
        callbackQueue.async {
          guard !opening.isCancelled else { return }
          let confinement: Confinement = callbackQueue === DispatchQueue.main ? .main : .queue(callbackQueue)
          let result = Result {
            if let found { throw found }
            return Realm(try RealmView.open(configuration, confinement))
          }
          opening.finish()
          answer.callback(result)
        }
      }
    }
    return AsyncOpenTask(opening: opening)
  }
}

/// An opening in the background.
public struct AsyncOpenTask: Sendable {
  let opening: PendingOpening

  /// Cancels the opening: the callback is not called.
  public func cancel() { opening.cancel() }

  /// The replication of the realm; nil until it is attached, and for a local realm.
  public var replication: (any Sendable & AnyObject)? { opening.attachment }

  /// Calls `block` with the replication of the realm, once, as soon as it is attached: at once when it is, on any thread
  /// otherwise. Never calls it for a local realm, and for an opening that ends before.
  public func whenAttached(_ block: @escaping @Sendable (any Sendable & AnyObject) -> Void) {
    opening.whenAttached(block)
  }
}

extension Realm {
  /// RealmSwift's name of ``AsyncOpenTask``.
  public typealias AsyncOpenTask = ObjectStore.AsyncOpenTask
}

/// A replication that can wait for the server's state.
public protocol DownloadAwaiting: AnyObject, Sendable {
  /// Returns when the server's state at the time of the call is local. Waits for a connection.
  ///
  /// - Throws: `CancellationError`, and errors that end the replication.
  func waitForDownload() async throws
  /// As ``waitForDownload()``, but fails without a connection.
  ///
  /// - Throws: `CancellationError`, the error of an attempt that reaches no server, and errors that end the
  ///   replication.
  func waitForDownloadOnline() async throws
}

/// The steps of an asynchronous opening. Any thread may call the methods.
final class PendingOpening: Sendable {
  let configuration: Realm.Configuration
  let task = Mutex<Task<Void, Never>?>(nil)
  private let cancelled = Atomic<Bool>(false)
  private struct Attachment: Sendable {
    var value: (any Sendable & AnyObject)?
    var waiting: [@Sendable (any Sendable & AnyObject) -> Void] = []
  }
  private let attached = Mutex(Attachment())
  private let file = Mutex<RealmFile?>(nil)

  /// The longest wait for the download in seconds.
  private let timeout: TimeInterval?

  init(_ configuration: Realm.Configuration, timeout: TimeInterval? = nil) {
    self.configuration = configuration
    self.timeout = timeout
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  var attachment: (any Sendable & AnyObject)? { attached.withLock { $0.value } }

  func whenAttached(_ block: @escaping @Sendable (any Sendable & AnyObject) -> Void) {
    let known = attached.withLock { attached in
      if attached.value == nil { attached.waiting.append(block) }
      return attached.value
    }
    if let known { block(known) }
  }

  private func attach(_ value: (any Sendable & AnyObject)?) {
    let waiting = attached.withLock { attached in
      defer { attached.waiting = [] }
      attached.value = value
      return attached.waiting
    }
    if let value { for block in waiting { block(value) } }
  }

  func cancel() {
    cancelled.store(true, ordering: .releasing)
    task.withLock { $0?.cancel() }
    finish()
  }

  /// Releases the file, which the opened realm holds by now.
  func finish() { file.withLock { $0 = nil } }

  private func openLocally() throws {
    let opened = try RealmView.prepareFile(configuration)
    file.withLock { $0 = opened }
  }

  /// Whether an earlier opening created the file and did not complete the first download.
  private static func isUnfinished(_ file: RealmFile) throws -> Bool {
    if try file.latestReadView().catalog.classes.isEmpty { return true }
    let progress = try ClientHistory(file).progress()
    return progress.latestServerVersion.version != .zero && progress.download.server == .zero
  }

  /// Prepares the file, and opens a view of it for a confinement.
  func view(
    _ confinement: Confinement, _ behavior: Realm.OpenBehavior, _isolation: isolated (any Actor)? = #isolation
  ) async throws -> RealmView {
    defer { finish() }
    try await prepare(behavior)
    return try RealmView.open(configuration, confinement)
  }

  /// Opens the file, migrates and compacts it, and waits for the download. The file stays open until ``finish()``.
  func prepare(_ behavior: Realm.OpenBehavior, waitsForConnection: Bool = false) async throws {
    try Task.checkCancellation()
    guard let replication = configuration.replication else {
      // The file is not the task's result: a task releases its result some time after it ended.
      try await Task.detached { try self.openLocally() }.value
      return try Task.checkCancellation()
    }
    let isThere = Realm.fileExists(for: configuration)
    guard behavior != .never else { return }
    let opened = try configuration.openFile()
    if behavior == .once, isThere, try !Self.isUnfinished(opened) { return }
    file.withLock { $0 = opened }
    try opened.attach(as: configuration)
    let attachment = opened.attachments.withLock { $0[replication.identity] }
    attach(attachment)
    let source = attachment as? any DownloadAwaiting
    if let source { try await limited { try await Self.wait(source, waitsForConnection) } }
    try Task.checkCancellation()
  }

  private static func wait(_ source: any DownloadAwaiting, _ waitsForConnection: Bool) async throws {
    if waitsForConnection { try await source.waitForDownload() } else { try await source.waitForDownloadOnline() }
  }

  /// Does work, and cancels it when the time is over.
  private func limited(_ work: @escaping @Sendable () async throws -> Void) async throws {
    guard let timeout else { return try await work() }
    let limit = Duration.milliseconds(Int64(Swift.min(Swift.max(timeout, 0), 1e12) * 1_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw POSIXError(
          .ETIMEDOUT, userInfo: [NSLocalizedDescriptionKey: "the realm was not downloaded within \(timeout) s"])
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

private struct OpeningAnswer: @unchecked Sendable {
  // @unchecked: handed to the callback queue, which alone calls it, once.
  let callback: (Result<Realm, any Error>) -> Void
}
