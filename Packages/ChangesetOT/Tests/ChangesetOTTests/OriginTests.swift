import ChangesetOT
import Testing

@Test("origins are ordered by timestamp, then by file ident")
func originOrder() {
  let early = ChangesetOrigin(timestamp: OriginTimestamp(10), file: FileIdent(9))
  let late = ChangesetOrigin(timestamp: OriginTimestamp(20), file: FileIdent(2))
  let tied = ChangesetOrigin(timestamp: OriginTimestamp(20), file: FileIdent(3))
  #expect(early < late && late < tied && !(tied < late))
}
