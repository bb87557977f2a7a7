public import Dispatch
import Foundation
import Synchronization

extension Realm {
  /// Whether opening waits for what the server has. Local realms never wait.
  public enum OpenBehavior: Sendable {
    /// Open what is there.
    case never
    /// Wait for everything that the server had when the opening began; fails without a connection.
    case always
    /// As ``always`` when there is no file yet, as ``never`` otherwise.
    case once
  }

  /// Opens a realm for the main actor.
  @MainActor
  public init(configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior) async throws {
    view = try await PendingOpening(configuration).view(.main, downloadBeforeOpen)
  }

  /// Opens a realm for an actor: all use must be isolated to it.
  ///
  /// - Throws: ``Realm/Error``, `CancellationError`, and what the download throws.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    view = try await PendingOpening(configuration).view(Confinement(actor), downloadBeforeOpen)
  }

  /// Opens a realm for the actor that the caller is isolated to.
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation actor: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    Realm(try await PendingOpening(configuration).view(Confinement(actor), downloadBeforeOpen))
  }

  /// Opens a realm away from the caller's thread, with everything that takes time: migrating, compacting, and for
  /// replicated realms the download of what the server had when the opening began.
  ///
  /// - Parameters:
  ///   - callbackQueue: the serial queue that the realm is confined to, and that `callback` runs on.
  ///   - callback: called once with the realm or the error; not after ``AsyncOpenTask/cancel()``.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Realm?, (any Swift.Error)?) -> Void
  ) -> AsyncOpenTask {
    asyncOpen(configuration: configuration, callbackQueue: callbackQueue) { result in
      switch result {
      case .success(let realm): callback(realm, nil)
      case .failure(let error): callback(nil, error)
      }
    }
  }

  /// ``asyncOpen(configuration:callbackQueue:callback:)-(_,_,(Realm?,(any_Swift.Error)?)->Void)``, its outcome in one value.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let opening = PendingOpening(configuration)
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

/// An opening that goes on in the background.
public struct AsyncOpenTask: Sendable {
  let opening: PendingOpening

  /// Gives up: the callback is not called any more.
  public func cancel() { opening.cancel() }

  /// What replicates the realm, once it is there.
  public var replication: (any Sendable & AnyObject)? { opening.attachment }
}

/// What replicates a realm and can tell when everything is there.
public protocol DownloadAwaiting: AnyObject, Sendable {
  /// Returns when everything that the server had at the time of the call is local. Waits for a connection.
  func waitForDownload() async throws
  /// As ``waitForDownload()``, but throws as soon as an attempt reaches no server.
  func waitForDownloadOnline() async throws
}

/// A realm on its way to being open.
final class PendingOpening: Sendable {
  let configuration: Realm.Configuration
  let task = Mutex<Task<Void, Never>?>(nil)
  private let cancelled = Atomic<Bool>(false)
  private let attached = Mutex<(any Sendable & AnyObject)?>(nil)
  private let file = Mutex<RealmFile?>(nil)

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  var attachment: (any Sendable & AnyObject)? { attached.withLock { $0 } }

  func cancel() {
    cancelled.store(true, ordering: .releasing)
    task.withLock { $0?.cancel() }
    finish()
  }

  /// Lets go of the file, which others hold by now.
  func finish() { file.withLock { $0 = nil } }

  private func openLocally() throws {
    let opened = try RealmView.prepareFile(configuration)
    file.withLock { $0 = opened }
  }

  /// Whether the file is what an earlier opening left that found no server, or lost it during the first download.
  private static func isUnfinished(_ file: RealmFile) throws -> Bool {
    if try file.latestFrame().catalog.classes.isEmpty { return true }
    let progress = try ClientHistory(file).progress()
    return progress.latestServerVersion.version != .zero && progress.download.server == .zero
  }

  /// Prepares the file and opens it where the caller is isolated to.
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
      // The file is not the task's result, which the task lets go of some time after it ended.
      try await Task.detached { try self.openLocally() }.value
      return try Task.checkCancellation()
    }
    let isThere = Realm.fileExists(for: configuration)
    guard behavior != .never else { return }
    let opened = try configuration.openFile()
    if behavior == .once, isThere, try !Self.isUnfinished(opened) { return }
    file.withLock { $0 = opened }
    try opened.attach(replication)
    let attachment = opened.attachments.withLock { $0[replication.identity] }
    attached.withLock { $0 = attachment }
    let source = attachment as? any DownloadAwaiting
    if waitsForConnection { try await source?.waitForDownload() } else { try await source?.waitForDownloadOnline() }
    try Task.checkCancellation()
  }
}

private struct OpeningAnswer: @unchecked Sendable {
  // @unchecked: handed to the callback queue, which alone calls it, once.
  let callback: (Result<Realm, any Error>) -> Void
}
