import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import Testing

@Suite("Regions on the sphere")
struct GeoTests {
  private typealias Ring = [(latitude: Double, longitude: Double)]

  private static func polygon(_ rings: Ring...) -> GeoShape {
    .polygon(
      rings.map {
        $0.map { GeoPoint(longitude: .value($0.longitude), latitude: .value($0.latitude), altitude: .value(0)) }
      })
  }

  private static let square: Ring = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]

  private func refusal(_ shape: GeoShape, _ path: String = "location") throws -> String {
    let schema = try #require(VectorFile.all().first).schema
    do {
      let query = try ParsedQuery(format: "\(path) IN %@", arguments: [.shape(shape)])
      _ = try QueryPlan(query, className: "Clinic", schema: schema, arguments: [.shape(shape)])
      return ""
    } catch { return "\(error)" }
  }

  private static let lying =
    "': 'Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring'"

  /// A shape, and a part of its refusal.
  private struct Row: Sendable {
    let shape: GeoShape
    let words: String
    init(_ shape: GeoShape, _ words: String) { (self.shape, self.words) = (shape, words) }
  }

  private static let outside: Ring = [(2, 2), (2, 3), (3, 3), (3, 2), (2, 2)]
  private static let touching: Ring = [(0, 0.1), (0.5, 0.1), (0.5, 0.5), (0, 0.5), (0, 0.1)]
  private static let crossing: Ring = [(0.25, 0.5), (0.75, 0.5), (0.75, 1.5), (0.25, 1.5), (0.25, 0.5)]
  private static let bow: Ring = [(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)]
  private static let field: Ring = [(50, -80), (60, 20), (20, 20), (-80, -80), (50, -80)]
  private static let wide: Ring = [(50, -80), (62, 22), (22, 22), (-80, -80), (50, -80)]
  private static let middle: Ring = [(45, -77), (61, 21), (21, 21), (-77, -77), (45, -77)]
  private static let inner: Ring = [
    (40.0096192, -75.5175781), (60, 20), (20, 20), (-75.5175781, -75.5175781), (40.0096192, -75.5175781),
  ]

  private static let rows: [Row] = [
    Row(
      polygon(square, outside),
      "Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]}, "
        + "{[2, 2, 0], [3, 2, 0], [3, 3, 0], [2, 3, 0], [2, 2, 0]})" + lying),
    Row(polygon(square, touching), lying),
    Row(polygon(square, crossing), lying),
    Row(
      polygon(bow),
      "'Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [50.0000000, -50.0000000]-[55.0000000, "
        + "55.0000000] and [-50.0000000, 50.0000000]-[70.0000000, -25.0000000]''"),
    Row(
      polygon(field, inner),
      "[-75.5176, 40.0096, 0]})': 'Polygon isn't valid: 'Duplicate edge: ring 1, edge 1 and ring 0, edge 1''"),
    Row(polygon(wide, middle, inner), "': 'Polygon interior rings cannot be nested: 2'"),
    Row(polygon([(0, 0), (1, 1), (0, 0), (0, 0)]), "'Ring 0 must have at least 3 different vertices, 2 unique"),
    Row(polygon([(0, 0), (1, 1), (0, 1), (0, 2)]), "'Ring 0 is not closed"),
    Row(polygon([(0, 0), (91, 1), (0, 1), (0, 0)]), "'Longitude/latitude is out of bounds, lng: 1 lat: 91'"),
    Row(polygon(), "'Polygon has no rings.'"),
    Row(
      .circle(GeoPoint(longitude: 1.0, latitude: 2.5), radius: .value(-1)),
      "parameter 'GeoCircle([1, 2.5], -1)': 'The radius of a circle must be a non-negative number'"),
    Row(.box(GeoPoint(longitude: 181.0, latitude: 0.0), GeoPoint(longitude: 0.0, latitude: 0.0)), "lng: 181 lat: 0'"),
  ]

  @Test("a shape that is no region is refused in RealmSwift's words", arguments: rows)
  private func refusals(_ row: Row) throws {
    let found = try refusal(row.shape)
    #expect(found.contains(row.words), "\(found)")
  }

  @Test("a property that leads to no place is refused")
  func otherProperties() throws {
    let circle = GeoShape.circle(GeoPoint(longitude: 0.0, latitude: 0.0), radius: 10.0)
    #expect(try refusal(circle, "name") != "")
    #expect(try refusal(circle, "location") == "")
  }

  @Test("edges are great circles, also over the date line and around a pole")
  func edges() throws {
    let file = try #require(VectorFile.all().first)
    /// The number of clinics, which lie at about 12.57 E 55.68 N and 9.2 E 56.2 N, in a ring.
    func count(_ ring: Ring) throws -> Int {
      let shape = QueryArgument.shape(Self.polygon(ring))
      let query = try ParsedQuery(format: "location IN %@", arguments: [shape])
      return try QueryPlan(query, className: "Clinic", schema: file.schema, arguments: [shape]).count(
        in: file.source())
    }
    let all = try count([(40, -20), (40, 40), (70, 40), (70, -20), (40, -20)])
    #expect(all > 0)
    #expect(try count([(40, 40), (40, -20), (70, -20), (70, 40), (40, 40)]) == all)
    // The great circle between two places at 50 degrees north, 120 degrees apart, runs far north of that parallel.
    #expect(try count([(50, -50), (50, 70), (80, 10), (50, -50)]) == 0)
    #expect(try count([(50, -50), (0, 10), (50, 70), (50, -50)]) == all)
    // Around the north pole, and around the other side of the earth.
    #expect(try count([(30, 0), (30, 90), (30, 180), (30, -90), (30, 0)]) == all)
    #expect(try count([(40, 170), (40, -170), (70, -170), (70, 170), (40, 170)]) == 0)
  }
}
