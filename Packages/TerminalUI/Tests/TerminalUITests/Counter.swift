import TerminalUI

/// The smallest program, for tests.
struct Counter: TerminalProgram {
  enum Effect: Equatable, Sendable { case save(Int) }

  var count = 0
  var size = Size(rows: 0, columns: 0)

  mutating func update(_ event: ProgramEvent<Int>) -> [ProgramAction<Effect>] {
    switch event {
    case .started(let size), .input(.resize(let size)): self.size = size
    case .input(.key(.up)): count += 1
    case .input(.key(.character("s"))): return [.perform(.save(count))]
    case .input(.key(.character("q"))): return [.quit]
    case .message(let amount): count += amount
    default: return [.bell]
    }
    return []
  }

  func view(_ canvas: inout Canvas) {
    canvas.write("count: \(count)", row: 0)
    canvas.write("\(size.rows)x\(size.columns)", row: 1, endingAt: canvas.size.columns)
  }
}
