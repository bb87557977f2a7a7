#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import DataModel

/// A checked shape that can tell which points lie inside.
///
/// Boxes lie along parallels and meridians. The edges of polygons are straight lines in degrees; for shapes of a few
/// hundred kilometres this differs from the great circle by less than any use needs.
struct GeoRegion: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var longitude: Double
    var latitude: Double
  }

  enum Shape: Hashable, Sendable {
    case box(Point, Point)
    case circle(Point, radius: Double)
    case polygon([[Point]])
  }

  /// Why a shape is refused.
  struct Problem: Error { var reason: String }

  var shape: Shape

  static func make(_ shape: GeoShape) -> Result<GeoRegion, Problem> {
    do {
      switch shape {
      case .box(let first, let second): return .success(GeoRegion(shape: .box(try point(first), try point(second))))
      case .circle(let center, let radius):
        let radius = try number(radius)
        guard radius >= 0, radius.isFinite else { throw Problem(reason: "the radius of a circle is not negative") }
        return .success(GeoRegion(shape: .circle(try point(center), radius: radius)))
      case .polygon(let rings):
        return .success(GeoRegion(shape: .polygon(try rings.map(ring))))
      }
    } catch let problem as Problem {
      return .failure(problem)
    } catch {
      return .failure(Problem(reason: "the shape is malformed"))
    }
  }

  private static func number(_ number: GeoNumber) throws -> Double {
    guard case .value(let value) = number else { throw Problem(reason: "a coordinate is missing") }
    return value
  }

  private static func point(_ point: GeoPoint) throws -> Point {
    let longitude = try number(point.longitude)
    let latitude = try number(point.latitude)
    guard abs(longitude) <= 180, abs(latitude) <= 90 else {
      throw Problem(reason: "longitudes lie between -180 and 180 and latitudes between -90 and 90")
    }
    return Point(longitude: longitude, latitude: latitude)
  }

  private static func ring(_ vertices: [GeoPoint]) throws -> [Point] {
    let points = try vertices.map(point)
    guard points.first == points.last else { throw Problem(reason: "a ring ends where it starts") }
    guard Set(points).count >= 3 else { throw Problem(reason: "a ring needs at least three different points") }
    guard !crossesItself(points) else { throw Problem(reason: "a ring does not cross itself") }
    return points
  }

  private static func crossesItself(_ ring: [Point]) -> Bool {
    let edges = ring.count - 1
    guard edges > 3, edges <= 2000 else { return false }
    for first in 0..<(edges - 2) {
      for second in (first + 2)..<edges where !(first == 0 && second == edges - 1) {
        if crosses(ring[first], ring[first + 1], ring[second], ring[second + 1]) { return true }
      }
    }
    return false
  }

  private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.longitude - a.longitude) * (c.latitude - a.latitude) - (b.latitude - a.latitude) * (c.longitude - a.longitude)
  }

  private static func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
  }

  func contains(longitude: Double, latitude: Double) -> Bool {
    switch shape {
    case .box(let first, let second):
      guard latitude >= first.latitude, latitude <= second.latitude else { return false }
      // A box whose left edge lies east of its right one goes across the date line.
      return first.longitude <= second.longitude
        ? longitude >= first.longitude && longitude <= second.longitude
        : longitude >= first.longitude || longitude <= second.longitude
    case .circle(let center, let radius):
      return Self.distance(center, Point(longitude: longitude, latitude: latitude)) <= radius
    case .polygon(let rings):
      guard let outer = rings.first, Self.isInside(outer, longitude, latitude) else { return false }
      return !rings.dropFirst().contains { Self.isInside($0, longitude, latitude) }
    }
  }

  /// The great-circle distance in radians.
  private static func distance(_ a: Point, _ b: Point) -> Double {
    let radians = Double.pi / 180
    let sineLatitude = sin((b.latitude - a.latitude) * radians / 2)
    let sineLongitude = sin((b.longitude - a.longitude) * radians / 2)
    let square =
      sineLatitude * sineLatitude
      + cos(a.latitude * radians) * cos(b.latitude * radians) * sineLongitude * sineLongitude
    return 2 * asin(min(1, square.squareRoot()))
  }

  private static func isInside(_ ring: [Point], _ longitude: Double, _ latitude: Double) -> Bool {
    var inside = false
    for at in 0..<(ring.count - 1) {
      let (a, b) = (ring[at], ring[at + 1])
      guard (a.latitude > latitude) != (b.latitude > latitude) else { continue }
      let crossing = a.longitude + (latitude - a.latitude) / (b.latitude - a.latitude) * (b.longitude - a.longitude)
      if longitude < crossing { inside.toggle() }
    }
    return inside
  }
}

/// Where an embedded class keeps the parts of a point.
struct GeoReader: Hashable, Sendable {
  var type: Int
  var coordinates: Int
}
