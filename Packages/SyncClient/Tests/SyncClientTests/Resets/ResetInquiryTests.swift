import ChangesetOT
import RecordStore
import SyncProtocol
import Testing

@testable import SyncClient

/// The questions about changes that a server has under the idents of a file.
struct ResetInquiryTests {
  private func incarnation(_ ident: UInt64, settled: UInt64) -> ClientIncarnation {
    ClientIncarnation(
      file: SaltedFileIdent(ident: FileIdent(ident), salt: Int64(ident)), settled: ClientVersion(settled))
  }

  /// Ident 9 since a reset at version 20, before that 5 since one at 10, at first 2.
  private var thrice: [ClientIncarnation] {
    [incarnation(9, settled: 20), incarnation(5, settled: 10), incarnation(2, settled: 0)]
  }

  @Test("the server is asked about one ident after the other, until it knows one")
  func questions() {
    typealias Row = (thrice: Bool, answers: [ResetInquiry.Answer], asked: [UInt64], integrated: UInt64?)
    let rows: [Row] = [
      (false, [.has(ClientVersion(7))], [2], 7),
      (false, [.unknown], [2], 0),
      (false, [.silent], [2], nil),
      (true, [.has(ClientVersion(25))], [9], 25),
      // Settled when the ident was allocated, and not sent under it.
      (true, [.has(ClientVersion(0))], [9], 20),
      (true, [.unknown, .has(ClientVersion(17))], [9, 5], 17),
      (true, [.unknown, .has(ClientVersion(3))], [9, 5], 10),
      (true, [.unknown, .unknown, .has(ClientVersion(6))], [9, 5, 2], 6),
      (true, [.unknown, .unknown, .unknown], [9, 5, 2], 0),
      (true, [.unknown, .silent], [9, 5], nil),
    ]
    for row in rows {
      var inquiry = ResetInquiry(isTold: true, row.thrice ? thrice : [thrice[2]])
      var asked: [UInt64] = []
      for answer in row.answers {
        if let next = inquiry.next { asked.append(next.file.ident.rawValue) }
        inquiry.answered(answer)
      }
      #expect(inquiry.next == nil, "\(row)")
      #expect(asked == row.asked, "\(row)")
      #expect(inquiry.integrated == row.integrated.map { ClientVersion($0) }, "\(row)")
    }
  }

  @Test("a server of a kind that never tells is not asked")
  func unreported() {
    let inquiry = ResetInquiry(isTold: false, thrice)
    #expect(inquiry.next == nil)
    #expect(inquiry.integrated == nil)
  }

  @Test("a file that never had an ident asks nothing")
  func withoutIdent() {
    let none = ClientIncarnation(file: .none, settled: .zero)
    let inquiry = ResetInquiry(isTold: true, [none])
    #expect(inquiry.next == nil)
    #expect(inquiry.integrated == .zero)
  }

  @Test("no server admits a probe, and its refusal tells how much the server has")
  func refused() throws {
    let file = SaltedFileIdent(ident: FileIdent(2), salt: 77)
    let state = IdentProbe(ident: file).state()
    let claim = ClientIdentMessage(
      session: SessionIdent(1), file: state.file, download: state.progress.download,
      latestServerVersion: state.progress.latestServerVersion)
    func ask(_ record: ClientFileRecord?, base: UInt64) throws -> ResetInquiry.Answer? {
      let current = SaltedServerVersion(version: ServerVersion(5), salt: 9)
      let history = ServerHistoryState(current: current, base: ServerVersion(base), saltOfClaim: 0)
      let refusal = try #require(IdentVerification.failure(claim: claim, record: record, history: history))
      let failure = SyncFailure(
        origin: .server, code: refusal.code.wire, message: "", action: refusal.details.action,
        integrated: refusal.details.integratedClientVersion)
      return ResetInquiry.answer(in: failure)
    }
    for base in [0, 3, 5] as [UInt64] {
      for client in [0, 6] as [UInt64] {
        for server in [0, 4] as [UInt64] {
          for bootstrap in [0, 4] as [UInt64] {
            let upload = UploadCursor(client: ClientVersion(client), server: ServerVersion(server))
            var record = ClientFileRecord(salt: 77, upload: upload, bootstrap: ServerVersion(bootstrap))
            #expect(try ask(record, base: base) == .has(upload.client), "\(base) \(record)")
            record.canResumeBootstrap = true
            #expect(try ask(record, base: base) == .has(upload.client), "\(base) \(record)")
            record.isExpired = true
            #expect(try ask(record, base: base) == .has(upload.client), "\(base) \(record)")
            record.salt = 78
            #expect(try ask(record, base: base) == .unknown)
          }
        }
      }
      #expect(try ask(nil, base: base) == .unknown)
    }
  }

  @Test("a refusal of a probe is an answer, unless it is about something else")
  func answers() {
    func failure(_ code: ProtocolErrorCode, _ integrated: UInt64?, _ action: ErrorAction = .clientReset) -> SyncFailure
    {
      SyncFailure(
        origin: .server, code: code, message: "", action: action, integrated: integrated.map { ClientVersion($0) })
    }
    #expect(ResetInquiry.answer(in: failure(.badClientFileIdent, 0)) == .unknown)
    #expect(ResetInquiry.answer(in: failure(.divergingHistories, 0)) == .unknown)
    #expect(ResetInquiry.answer(in: failure(.badClientVersion, 8)) == .has(ClientVersion(8)))
    #expect(ResetInquiry.answer(in: failure(.badServerVersion, 8)) == .has(ClientVersion(8)))
    #expect(ResetInquiry.answer(in: failure(.clientFileExpired, 8)) == .has(ClientVersion(8)))
    #expect(ResetInquiry.answer(in: failure(.badClientFileIdent, nil)) == .silent)
    #expect(ResetInquiry.answer(in: failure(.sessionClosed, nil, .transient)) == nil)
  }
}
