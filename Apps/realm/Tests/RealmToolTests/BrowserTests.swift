import DataModel
import Foundation
import RecordStore
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import RealmTool

@Suite("The browser") struct BrowserTests {
  let kennel: Kennel
  let file: RealmFile
  let test: TestTerminal<BrowserScreen>

  init() throws {
    kennel = try Kennel()
    let file = try RealmFile.open(.file(path: kennel.file))
    self.file = file
    test = TestTerminal(BrowserScreen(title: "dogs.realm", isReadOnly: false), rows: 12, columns: 70) {
      BrowserSource(file: file).perform($0)
    }
  }

  private func write(_ name: String, of id: Int64) throws {
    try file.edit { try $0.set(["name": .value(.string(name))], of: ObjectReference(className: "Dog", key: .int(id))) }
  }

  @Test("classes stand with their counts beside the objects of the selected one")
  func opening() {
    #expect(test.line(0) == " dogs.realm  Dog                                            3 objects")
    #expect(test.line(1) == " Dog           3 │ id   name  age  owner")
    #expect(test.line(2) == " Person        1 │   1  Rex     9  → 7-1")
    #expect(test.line(4) == "                 │   3  Bo      1  null")
    test.press(.down)
    #expect(test.line(1) == " Dog           3 │ $key  name")
    #expect(test.line(2) == " Person        1 │ 7-1   Ann")
  }

  @Test("a link is followed, and come back from to the same place")
  func links() {
    test.press(.tab, .right, .right, .right, .enter)
    #expect(test.line(0).hasPrefix(" dogs.realm  Dog[1].owner "))
    #expect(test.line(2).hasSuffix("│ 7-1   Ann"))
    test.press(.backspace)
    #expect(test.line(0).hasPrefix(" dogs.realm  Dog "))
    #expect(test.program.view?.column == 3)
    test.press(.down, .enter)
    // A null leads nowhere: it is edited.
    #expect(test.line(9) == " Dog.owner link to Person")
  }

  @Test("a mistake in a query stands under its position, and what was shown stays")
  func queries() {
    test.press(.character("/"))
    test.type("age > 3 AND nam = 'x'")
    test.press(.enter)
    #expect(test.line(9) == " / age > 3 AND nam = 'x'")
    #expect(test.line(10).prefix { $0 == " " }.count == " / age > 3 AND ".count)
    #expect(test.line(10).contains("^ Dog has no property 'nam'; did you mean 'name'?"))
    #expect(test.line(2).contains("Rex"))
    test.press(.control("u"))
    test.type("age > 3 SORT(age ASC) LIMIT 1")
    test.press(.enter)
    #expect(test.line(0) == " dogs.realm  Dog  age > 3 SORT(age ASC) LIMIT 1              1 object")
    #expect(test.line(2).contains("Ada"))
    test.press(.escape)
    #expect(test.line(0).hasSuffix("3 objects"))
  }

  @Test("a value of the wrong type is refused where it was typed, a right one is written")
  func editing() throws {
    test.press(.tab, .right, .right, .character("e"), .control("u"))
    test.type("old")
    test.press(.enter)
    #expect(test.line(9) == " Dog.age old")
    #expect(test.line(10).contains("expected a whole number of 64 bits, found \"old\"."))
    test.press(.control("u"))
    test.type("10")
    test.press(.enter)
    #expect(test.line(9) == " Dog[1].age is set")
    #expect(test.line(2).contains("10"))
    #expect(try file.contents().count(of: "Dog", matching: "age == 10") == 1)
  }

  @Test("an optional value becomes null, a required one does not")
  func nulls() throws {
    test.press(.tab, .right, .character("e"), .control("n"))
    #expect(try file.contents().count(of: "Dog", matching: "name == ''") == 1)
    test.press(.right, .character("e"), .control("n"))
    #expect(test.line(10).contains("the value is required and cannot be null."))
    test.press(.escape, .right, .character("e"), .control("n"))
    #expect(try file.contents().count(of: "Dog", matching: "owner == null") == 3)
  }

  @Test("the key is not edited, and nothing is in a realm that is only read")
  func refusals() {
    test.press(.tab, .character("e"))
    #expect(test.line(9) == " the primary key of an object never changes")
    let file = file
    let reading = TestTerminal(BrowserScreen(title: "x", isReadOnly: true), rows: 12, columns: 70) {
      BrowserSource(file: file).perform($0)
    }
    reading.press(.tab, .right, .character("e"))
    #expect(reading.line(9) == " the realm is open for reading only")
    reading.press(.character("d"))
    #expect(reading.line(9) == " the realm is open for reading only")
  }

  @Test("an object goes after a question alone")
  func deleting() throws {
    test.press(.tab, .down, .character("d"), .escape)
    #expect(try file.contents().count(of: "Dog") == 3)
    test.press(.character("d"), .character("D"))
    #expect(try file.contents().count(of: "Dog") == 2)
    #expect(test.line(containing: "Ada") == nil)
  }

  @Test("what others write is seen, and the cursor stays on its object")
  func living() throws {
    test.press(.character("/"))
    test.type("age > 0 SORT(name ASC)")
    test.press(.enter, .end)
    #expect(test.program.view?.selectedRecord?.key == .int(1))
    try write("Aaron", of: 1)
    test.post(.changed)
    #expect(test.line(2).contains("Aaron"))
    #expect(test.program.view?.rows.selected == 0)
    #expect(test.program.view?.selectedRecord?.key == .int(1))
  }

  @Test("thousands of objects are walked through by pages")
  func paging() throws {
    try file.edit { editor in
      for id in 100..<2_000 { try editor.create(ObjectReference(className: "Dog", key: .int(Int64(id)))) }
    }
    test.post(.changed)
    test.press(.tab, .end)
    #expect(test.line(containing: "1999") != nil)
    for _ in 0..<300 { test.press(.up) }
    #expect(test.program.view?.selectedRecord?.key == .int(1_699))
    test.press(.home)
    #expect(test.line(2).contains("Rex"))
    #expect(test.effects.allSatisfy { if case .load(_, _, _, let count) = $0 { count <= 30 } else { true } })
  }

  @Test("every size of the screen is drawn", arguments: [(30, 100), (24, 80), (10, 40), (3, 12), (1, 1)])
  func sizes(_ size: (rows: Int, columns: Int)) {
    test.resize(rows: size.rows, columns: size.columns)
    test.press(.tab, .down, .right, .character("/"), .character("x"), .enter, .escape, .character("e"), .escape)
    test.press(.character("v"), .escape, .character("d"), .escape, .character("?"), .escape, .tab)
    #expect(!test.hasQuit)
    test.press(.character("q"))
    #expect(test.hasQuit)
  }
}
