import ChangesetOT
import DataModel
import TestKit
import Testing

@Suite("printing of changesets")
struct PrintingTests {
  private let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))
  private let item = ObjectReference(className: "Item", key: .int(1))

  private var bytes: [UInt8] {
    let tags = Target(object: item, field: "tags", path: [.index(0)])
    return Changeset(
      instructions: [
        .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
        .createObject(CreateObject(object: item)),
        .update(Update(target: Target(object: item, field: "n"), payload: .int(5), isDefault: true)),
        .arrayInsert(ArrayInsert(target: tags, payload: .string("a\"b"), priorSize: 0)),
        .arrayErase(ArrayErase(target: tags, priorSize: 1)),
      ], origin: origin
    ).encoded()
  }

  @Test("each line is the position of an instruction and the instruction")
  func lines() throws {
    var reader = ChangesetReader(bytes)
    var positions: [Int] = []
    while try reader.next() != nil { positions.append(reader.instructionPosition) }
    let lines = ChangesetText(bytes).description.split(separator: "\n")
    #expect(lines.dropLast().compactMap { Int($0.split(separator: " ").first ?? "") } == positions)
    #expect(
      lines.map { $0.drop { $0 == " " || $0.isNumber }.trimmingPrefix(" ") } == [
        "addTable Item topLevel key _id: int", "create Item[1]", "update Item[1].n = 5 default",
        "insert Item[1].tags[0] = \"a\\\"b\" of 0", "remove Item[1].tags[0] of 1",
        "instructions in \(bytes.count) bytes: 1 addTable, 1 createObject, 1 update, 1 arrayInsert, 1 arrayErase",
      ])
  }

  @Test("without positions the lines are the instructions")
  func plain() {
    var text = ChangesetText(bytes)
    text.showsPositions = false
    #expect(text.description.hasPrefix("addTable Item"))
    #expect(ChangesetText([]).description == "the empty changeset\n")
  }

  @Test("damaged bytes are printed up to the first fault, and the last line names it")
  func damaged() {
    for cut in Damage.truncations(of: bytes) + Damage.bitFlips(of: bytes) {
      var text = ""
      let error = ChangesetText(cut).write(to: &text)
      let last = text.split(separator: "\n").last ?? ""
      if let error {
        #expect(last.hasPrefix("unreadable from here: byte \(error.position), "))
        #expect(text.split(separator: "\n").count == error.instruction + 1)
      } else {
        #expect(last.contains(" bytes: ") || last == "the empty changeset")
      }
    }
  }

  @Test("control characters of names never reach the terminal")
  func escapes() {
    let object = ObjectReference(className: "A\u{1B}[2J\n\u{2067}", key: .string("\u{9B}"))
    let bytes = Changeset(instructions: [.createObject(CreateObject(object: object))], origin: origin).encoded()
    let text = ChangesetText(bytes).description
    #expect(text.contains("A\\u{1b}[2J\\u{a}\\u{2067}"))
    #expect(text.split(separator: "\n").count == 2)
  }
}
