import DataModel
import Testing

@testable import PostgresConnector

@Suite("settings of the connector")
struct ConfigurationTests {
  private static let least = "[realm]\npath = \"/shop\"\n[class.A]\nprimary-key = \"id\"\nid = \"int\"\n"

  @Test(
    "a setting that there is not, or a value that does not fit, is refused with its line",
    arguments: [
      "[postgres]\nhots = \"a\"", "[postgres]\nport = 0", "[realm]\npath = \"shop\"", "top = 1", "[nothing]\na = 1",
      "[class.A]\nid = \"integer\"", "[log]\nlevel = \"loud\"", "[realm]\nswitch-to-reference-realm = true",
      "[tables]\nB = \"b\"",
    ])
  func faults(_ text: String) {
    #expect(throws: (any Error).self) {
      let configuration = try ConnectorConfiguration(
        toml: text.hasPrefix("[realm]") || text.hasPrefix("[class")
          ? text : Self.least + text)
      _ = configuration
    }
  }

  @Test("types of properties are read")
  func types() throws {
    let configuration = try ConnectorConfiguration(
      toml: Self.least + "b = \"string?\"\nc = \"A\"\nd = \"A[]\"\ne = \"int<>\"\nf = \"mixed{}\"\n")
    let layout = try #require(configuration.schema["A"])
    #expect(layout["b"]?.isOptional == true)
    #expect(layout["c"]?.objectClassName == "A")
    #expect(layout["d"]?.collection == .list)
    #expect(layout["e"]?.collection == .set)
    #expect(layout["f"]?.collection == .dictionary)
  }

  @Test("paths of realms and columns of rows lead to each other")
  func paths() throws {
    let template = try RealmPathTemplate("/{owner}/shop")
    #expect(template.path { $0 == "owner" ? "ann" : nil } == "/ann/shop")
    #expect(template.columns(of: "/ann/shop") == ["owner": "ann"])
    #expect(template.columns(of: "/ann/other") == nil)
    #expect(template.path { _ in "a/b" } == nil)
    let split = try RealmPathTemplate("/{region}-{number}/shop")
    #expect(split.columns(of: "/eu-7/shop") == ["region": "eu", "number": "7"])
    #expect(split.path { ["region": "eu", "number": "7"][$0] } == "/eu-7/shop")
    #expect(split.path { ["region": "e-u", "number": "7"][$0] } == nil)
  }

  @Test(
    "times are written and read to the microsecond",
    arguments: [
      (Timestamp(seconds: 0), "1970-01-01 00:00:00+00"),
      (Timestamp(seconds: -1, nanoseconds: -500_000_000), "1969-12-31 23:59:58.500000+00"),
      (Timestamp(seconds: 951_782_400), "2000-02-29 00:00:00+00"),
      (Timestamp(seconds: -62_167_219_200), "0001-01-01 00:00:00+00 BC"),
    ])
  func times(_ time: Timestamp, _ text: String) throws {
    #expect(try TimeText.text(time) == text)
    #expect(try TimeText.time(text) == time)
  }

  @Test("arrays are written and read")
  func arrays() {
    let elements: [String?] = ["a", nil, "b \"c\" \\", "", "NULL", "d,e"]
    #expect(ArrayText.elements(ArrayText.text(elements)) == elements)
    #expect(ArrayText.elements("{a,NULL,b}") == ["a", nil, "b"])
    #expect(ArrayText.elements("{{1},{2}}") == nil)
  }
}
