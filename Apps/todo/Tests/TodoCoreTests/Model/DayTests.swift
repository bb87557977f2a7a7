import Foundation
import Testing
@testable import TodoCore

@Suite("A day")
struct DayTests {
  @Test("is the same day as text, parts and date")
  func roundTrip() {
    for number in stride(from: -719_162, through: 2_932_896, by: 97) {
      let day = Day(number: number)
      #expect(Day(text: day.text) == day)
      #expect(Day(day.date) == day)
    }
    #expect(Day(text: "1970-01-01")?.number == 0)
    #expect(Day(text: "2024-02-29")?.text == "2024-02-29")
    #expect(Day(number: .max).text == "9999-12-31")
    #expect(Day(number: .min).text == "0001-01-01")
    #expect(Day(Date(timeIntervalSince1970: -1)).text == "1969-12-31")
    #expect(Day(Date(timeIntervalSince1970: .infinity)).number == 0)
  }

  @Test(
    "is not read from other text",
    arguments: ["", "2026-1-1", "2023-02-29", "2026-13-01", "0000-01-01", "+026-01-01", "２026-01-01", "2026-01-01x"])
  func bad(_ text: String) {
    #expect(Day(text: text) == nil)
  }

  @Test(
    "is read from what people type",
    arguments: [
      ("2026-12-01", "2026-12-01"), ("today", "2026-11-20"), (" Tomorrow ", "2026-11-21"), ("+7", "2026-11-27"),
      ("fri", "2026-11-27"), ("sat", "2026-11-21"), ("thursday", "2026-11-26"), ("soon", nil), ("", nil), ("+-1", nil),
    ])
  func typed(_ text: String, _ expected: String?) throws {
    let today = try #require(Day(text: "2026-11-20"))
    #expect(Day(typed: text, today: today)?.text == expected)
  }

  @Test("and a time are read in their usual forms")
  func timestamps() {
    #expect(Timestamp.parse("2026-11-21T08:30:15Z").map(Timestamp.text) == "2026-11-21T08:30:15Z")
    #expect(Timestamp.parse("2026-11-21 08:30").map(Timestamp.text) == "2026-11-21T08:30:00Z")
    #expect(Timestamp.parse("2026-11-21T08:30:15.123+02:00").map(Timestamp.text) == "2026-11-21T06:30:15Z")
    #expect(Timestamp.parse("2026-11-21T25:00:00Z") == nil)
    #expect(Timestamp.parse("2026-11-21x") == nil)
    #expect(Timestamp.parse("soon") == nil)
  }
}
