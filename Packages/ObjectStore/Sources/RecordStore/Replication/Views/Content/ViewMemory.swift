import ChangesetOT
import DataModel
import Synchronization

/// The parts of views that a server remembers while it runs, so that it does not look for them again. None is needed: what
/// is forgotten is evaluated anew.
///
/// Safe to use from any thread.
final class ViewMemory: Sendable {
  /// The objects of a set for a user at a version.
  struct Key: Hashable, Sendable {
    var json: String
    var scope: ViewScope
    /// The classes whose objects are meant, those that depend on others when they were looked at; nil for all.
    var classes: Set<String>?
    var version: ServerVersion
  }

  /// Objects that are remembered at most, over all contents.
  static let mostObjects = 2_000_000
  /// Flips that are remembered at most, over all clients.
  static let mostFlips = 200_000

  private struct State {
    var contents: [Key: (content: ViewContent, use: UInt64)] = [:]
    var objects = 0
    var uses: UInt64 = 0
    var flips: [FileIdent: ViewFlips] = [:]
    var flipCount = 0
  }

  private let state = Mutex(State())
  /// The version of the history when this began to remember.
  private let start: ServerVersion

  /// - Parameter start: the version of the history.
  init(since start: ServerVersion = .zero) { self.start = start }

  // MARK: Contents

  /// A content that is known.
  func content(_ key: Key) -> ViewContent? {
    state.withLock { state in
      guard let known = state.contents[key] else { return nil }
      state.uses += 1
      state.contents[key]?.use = state.uses
      return known.content
    }
  }

  /// Remembers a content; those that were not used for longest are forgotten when there are too many objects. One that would leave no
  /// room for others is not remembered.
  func keep(_ content: ViewContent, _ key: Key) {
    guard content.size < Self.mostObjects else { return }
    state.withLock { state in
      state.uses += 1
      if let old = state.contents.updateValue((content, state.uses), forKey: key) {
        state.objects -= old.content.size + 1
      }
      state.objects += content.size + 1
      guard state.objects > Self.mostObjects else { return }
      for (key, kept) in state.contents.sorted(by: { $0.value.use < $1.value.use }) {
        guard state.objects > Self.mostObjects / 2 else { break }
        state.contents[key] = nil
        state.objects -= kept.content.size + 1
      }
    }
  }

  // MARK: Flips

  /// Notes what a client was sent beside the changes of others, in a scan from `start` on. With too many of all clients those of every
  /// client are forgotten, up to the newest of its own.
  func note(
    _ objects: [ObjectReference], sentTo ident: FileIdent, at version: ServerVersion, since start: ServerVersion
  ) {
    state.withLock { state in
      let before = state.flips[ident]?.count ?? 0
      state.flips[ident, default: ViewFlips(since: min(start, self.start))].add(objects, at: version)
      state.flipCount += (state.flips[ident]?.count ?? 0) - before
      guard state.flipCount > Self.mostFlips else { return }
      for ident in state.flips.keys { state.flips[ident]?.forgetAll() }
      state.flipCount = 0
    }
  }

  /// The objects that a client was sent beside the changes of others, as far as it is known.
  func flips(of ident: FileIdent) -> ViewFlips { state.withLock { $0.flips[ident] } ?? ViewFlips(since: start) }

  /// Forgets flips that no upload of a client can be based before any more.
  func forgetFlips(of ident: FileIdent, through version: ServerVersion) {
    state.withLock { state in
      let before = state.flips[ident]?.count ?? 0
      state.flips[ident]?.forget(through: version)
      state.flipCount -= before - (state.flips[ident]?.count ?? 0)
    }
  }
}

/// The objects that a client was sent, or made to erase, because they came into its view or left it, with the last version of
/// that. An upload that writes one of them on an older base is merged in the client's file with other instructions than here.
struct ViewFlips: Sendable {
  /// More than these are not remembered one by one.
  private static let limit = 10_000

  /// Of versions up to here nothing is known.
  private(set) var since: ServerVersion
  private var objects: [ObjectReference: ServerVersion] = [:]

  init(since: ServerVersion) { self.since = since }

  mutating func add(_ others: [ObjectReference], at version: ServerVersion) {
    if objects.count + others.count > Self.limit {
      forgetAll()
      since = max(since, version)
      return
    }
    for object in others { objects[object] = max(objects[object] ?? version, version) }
  }

  /// The number of objects.
  var count: Int { objects.count }

  /// Forgets everything: nothing is known of versions up to the newest one that was noted.
  mutating func forgetAll() { (objects, since) = ([:], max(since, objects.values.max() ?? since)) }

  mutating func forget(through version: ServerVersion) {
    guard version > since else { return }
    objects = objects.filter { $0.value > version }
  }

  /// Whether an object is known to have flipped after a version.
  func knows(_ object: ObjectReference, after version: ServerVersion) -> Bool {
    objects[object].map { $0 > version } ?? false
  }

  /// Whether an object flipped after a version, or may have.
  func contains(_ object: ObjectReference, after version: ServerVersion) -> Bool {
    version < since || knows(object, after: version)
  }
}
