import ChangesetOT
import Testing

@Suite("origins")
struct ChangesetOriginTests {
  @Test("origins are ordered by timestamp, then by file ident")
  func order() {
    let early = ChangesetOrigin(timestamp: OriginTimestamp(10), file: FileIdent(9))
    let late = ChangesetOrigin(timestamp: OriginTimestamp(20), file: FileIdent(2))
    let tied = ChangesetOrigin(timestamp: OriginTimestamp(20), file: FileIdent(3))
    #expect(early < late)
    #expect(late < tied)
    #expect(!(tied < late))
  }
}
