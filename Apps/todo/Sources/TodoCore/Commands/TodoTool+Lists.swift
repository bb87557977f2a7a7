import CommandLineKit

extension TodoTool {
  private static let stateOptions: [CommandOption] = [
    .flag("json", short: "j", help: "Print JSON."),
    .flag("open", help: "Only open items."),
    .flag("done", help: "Only completed items."),
    .value("filter", short: "f", valueName: "TEXT", help: "Only items with these words."),
  ]

  private func filter(_ invocation: Invocation) throws -> ItemFilter {
    guard !(invocation.flag("open") && invocation.flag("done")) else {
      throw UsageError(invocation, "'--open' and '--done' exclude each other")
    }
    let state: ItemFilter.State = invocation.flag("open") ? .open : invocation.flag("done") ? .done : .all
    return ItemFilter(state: state, text: invocation.text("filter") ?? "")
  }

  private func chosen(_ board: Board, _ invocation: Invocation) throws -> [ItemList] {
    guard let name = invocation.text("list") else { return board.lists }
    return [try ItemSelector.list(name, on: board)]
  }

  var list: Command {
    Command("list", summary: "Print lists with their items.", options: Self.stateOptions) { invocation, console in
      let filter = try filter(invocation)
      try withStore(invocation) { store in
        try report(try readBoard(store, invocation, console), filter, invocation, console)
      }
    }
  }

  private func report(_ board: Board, _ filter: ItemFilter, _ invocation: Invocation, _ console: Console) throws {
    let lists = try chosen(board, invocation)
    if invocation.flag("json") {
      console.print(json: BoardReport.json(lists, filter))
    } else if lists.isEmpty {
      console.print("no lists yet; 'todo add' makes one")
    } else {
      console.write(BoardReport.text(lists, filter, console: console))
    }
  }

  var lists: Command {
    Command(
      "lists", summary: "Print the names of the lists.", options: [.flag("json", short: "j", help: "Print JSON.")]
    ) {
      invocation, console in
      try withStore(invocation) { store in
        let board = try readBoard(store, invocation, console)
        if invocation.flag("json") {
          console.print(
            json: .array(
              board.lists.map { list in
                .object([
                  ("key", .text(list.key)), ("name", .text(list.name)), ("open", .integer(list.openCount)),
                  ("items", .integer(list.items.count)),
                ])
              }))
        } else {
          let rows = board.lists.map { [$0.name, String($0.openCount), String($0.items.count - $0.openCount)] }
          console.print(
            TextTable(
              columns: [
                .init("list", shrinks: true), .init("open", alignsRight: true), .init("done", alignsRight: true),
              ],
              rows: rows))
        }
      }
    }
  }

  var watch: Command {
    Command(
      "watch", summary: "Print lists now and after every change, until interrupted.",
      options: Self.stateOptions + [
        .value("count", valueName: "N", kind: .integer(1...Int.max), help: "Stop after printing so often.")
      ]
    ) { invocation, console in
      let filter = try filter(invocation)
      try withStore(invocation) { store in
        let signal = ChangeSignal()
        store.onChange { signal.raise() }
        var printed: [ItemList]?
        var count = 0
        while true {
          let board = try store.board()
          let shown = try chosen(board, invocation).map { list in
            var list = list
            list.items = filter.apply(to: list.items)
            return list
          }
          guard shown != printed else {
            signal.wait()
            continue
          }
          if printed != nil, !invocation.flag("json") { console.print() }
          try report(board, filter, invocation, console)
          printed = shown
          count += 1
          if let limit = invocation.integer("count"), count >= limit { return }
        }
      }
    }
  }
}
