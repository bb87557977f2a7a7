import ChangesetOT
import RecordStore
import SyncProtocol

/// Finds out which changes of a file a server has that may not know who the file is now. Pure.
///
/// Each reset gives a file another ident. A server that is put back to a state from before the reset has never heard of that
/// one, but it may know an earlier one, and have changes that came with it. So it is asked about one after the other, the
/// latest first: who knows an ident has everything that was settled when it was given out.
struct ResetInquiry: Hashable, Sendable {
  /// What a server says about one ident.
  enum Answer: Hashable, Sendable {
    /// It knows the ident, and has this much of its changes.
    case has(ClientVersion)
    /// It has never given it out.
    case unknown
    /// It does not say: it is of a kind that never does.
    case silent
  }

  /// Whom to ask about next; nil when all is known.
  var next: ClientIncarnation? { isDone ? nil : left.first }
  /// Everything up to here is on the server; nil when it does not say. Right when all is known.
  private(set) var integrated: ClientVersion?

  private var left: ArraySlice<ClientIncarnation>
  private var isDone = false

  /// An inquiry in which nobody was asked yet.
  ///
  /// What the server said when it asked for the reset does not count: another one may have taken its place since.
  ///
  /// - Parameters:
  ///   - isTold: whether the server is of a kind that tells how much it has; others are not asked.
  ///   - incarnations: the latest first.
  init(isTold: Bool, _ incarnations: [ClientIncarnation]) {
    left = incarnations.filter { $0.file != .none }[...]
    if !isTold {
      answered(.silent)
    } else if left.isEmpty {
      answered(.unknown)
    }
  }

  /// What the server said about ``next``.
  mutating func answered(_ answer: Answer) {
    switch answer {
    case .has(let version):
      integrated = max(version, left.first?.settled ?? .zero)
      isDone = true
    case .silent:
      integrated = nil
      isDone = true
    case .unknown:
      left = left.dropFirst()
      integrated = .zero
      isDone = left.isEmpty
    }
  }

  /// The answer that lies in how the server refused the IDENT of an inquiry; nil when it is none.
  static func answer(in failure: SyncFailure) -> Answer? {
    guard failure.origin == .server, failure.action == .clientReset else { return nil }
    guard let integrated = failure.integrated else { return .silent }
    return switch failure.code {
    case .badClientFileIdent?, .divergingHistories?: .unknown
    default: .has(integrated)
    }
  }
}
