import ChangesetOT
import RecordStore
import SyncProtocol

/// The questions by which a client finds out which of its changes a server has, when the server may not know the file's
/// present ident. Pure.
///
/// Each reset gives a file another ident. A server that was put back to a state from before the reset does not know the
/// new ident, but may know an earlier one, and have changes that came under it. So the questions go through the idents,
/// the latest first: a server that knows an ident has everything that was settled when it allocated the ident.
struct ResetInquiry: Hashable, Sendable {
  /// A server's answer about one ident.
  enum Answer: Hashable, Sendable {
    /// The server knows the ident, and has its changes up to this version.
    case has(ClientVersion, untold: [CompensatingWrite] = [])
    /// The server has never allocated the ident.
    case unknown
    /// The server does not say; servers of its kind never do.
    case silent
  }

  /// The ident of the next question; nil when all is known.
  var next: ClientIncarnation? { isDone ? nil : left.first }
  /// The server has everything up to this version; nil when it does not say. Valid when ``next`` is nil.
  private(set) var integrated: ClientVersion?
  /// The undone writes among them that the server does not know to be reported.
  private(set) var untold: [CompensatingWrite] = []

  private var left: ArraySlice<ClientIncarnation>
  private var isDone = false

  /// An inquiry without answers.
  ///
  /// The version that came with the request for the reset does not count: another server may have taken its place
  /// since.
  ///
  /// - Parameters:
  ///   - isTold: whether servers of this kind tell how much they have; others are not asked.
  ///   - incarnations: the latest first.
  init(isTold: Bool, _ incarnations: [ClientIncarnation]) {
    left = incarnations.filter { $0.file != .none }[...]
    if !isTold {
      answered(.silent)
    } else if left.isEmpty {
      answered(.unknown)
    }
  }

  /// Takes the answer about ``next``.
  mutating func answered(_ answer: Answer) {
    switch answer {
    case .has(let version, let untold):
      self.untold = untold
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

  /// The answer in a server's refusal of a probe; nil when the failure is about something else.
  static func answer(in failure: SyncFailure) -> Answer? {
    guard failure.origin == .server, failure.action == .clientReset else { return nil }
    guard let integrated = failure.integrated else { return .silent }
    return switch failure.code {
    case .badClientFileIdent?, .divergingHistories?: .unknown
    default: .has(integrated, untold: failure.untold)
    }
  }
}
