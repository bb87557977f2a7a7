import Testing
@testable import TodoCore

@Suite("A Markdown task list")
struct MarkdownTests {
  @Test("is read with headings as lists, text as notes, and nesting in the notes")
  func read() {
    let text = """
      Before all

      # Groceries

      - [ ] (A) Milk due:2026-12-01
        two bottles

        fresh
      - [x] Bread
          * [ ] Rye
      + plain bullet
      1. [X] numbered

      ## Home ##
      - [ ]
      - [ ] `code` and **bold**
      ```
      - [ ] not a task
      ```
      """
    let file = TodoCoreTests.read(text, .markdown)
    #expect(
      file.parts == [
        part(
          "Groceries", fields("Milk", priority: 1, due: "2026-12-01", notes: "Before all\ntwo bottles\n\nfresh"),
          fields("Bread", done: true), fields("Rye", notes: "under: Bread"), fields("plain bullet"),
          fields("numbered", done: true)),
        part("Home ##", fields("`code` and **bold**", notes: "```\n- [ ] not a task\n```")),
      ])
    #expect(file.problems.map(\.description) == ["line 15: no title in '- [ ]'; skipped"])
  }

  @Test("of text alone loses nothing silently")
  func noTasks() {
    let file = TodoCoreTests.read("Just\ntext", .markdown)
    #expect(file.parts == [])
    #expect(
      file.problems.map(\.description) == [
        "line 1: not a task: 'Just'; skipped", "line 2: not a task: 'text'; skipped",
      ])
  }

  @Test("is written as people write it")
  func write() {
    let list = ItemList(
      key: "k", name: "Home",
      items: [
        Item(key: "1", fields: fields("Milk", priority: 1, due: "2026-12-01", notes: "two\n\n- bottles")),
        Item(key: "2", fields: fields("Call", done: true, completed: "2026-11-02")),
      ])
    #expect(
      Exporter.write([list, ItemList(key: "l", name: "Empty")], as: .markdown) == """
        # Home

        - [ ] (A) Milk due:2026-12-01
          two

          \\- bottles
        - [x] Call done:2026-11-02

        # Empty


        """)
  }
}
