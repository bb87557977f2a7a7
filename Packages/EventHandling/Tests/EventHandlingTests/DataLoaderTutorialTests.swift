import Foundation
import ObjectStore
import TestKit
import Testing

@testable import EventHandling

@Suite("tutorial 12")
struct DataLoaderTutorialTests {
  @Test("the program of the text fills the default realm once")
  func loads() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    #expect(try await loadItems(10, into: "Task List", as: try await server.admin("one")) == 10)
    #expect(try await loadItems(10, into: "Task List", as: try await server.admin("two")) == 0)
    let hold = try #require(try await server.server.hold(try .init("/default")))
    let items = try await hold.perform { history -> Int in
      var items = 0
      try history.file.contents().forEachObject(of: "Item") { _ in
        items += 1
        return true
      }
      return items
    }
    #expect(items == 10)
    await server.stop()
  }

  @Test("the program stands in the text word for word")
  func text() throws {
    let page = RepositoryFiles.root().appendingPathComponent("Docs/Tutorials/12-data-loader.md")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("DataLoader.swift")
    let program = try String(contentsOf: source, encoding: .utf8)
    let start = try #require(program.range(of: "/// A task of the tutorials."))
    #expect(try String(contentsOf: page, encoding: .utf8).contains(program[start.lowerBound...]))
  }
}
