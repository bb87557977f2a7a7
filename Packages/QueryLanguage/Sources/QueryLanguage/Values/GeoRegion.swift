#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import DataModel

/// A checked shape.
///
/// Boxes lie along parallels and meridians. The edges of polygons are great circles, the short way from vertex to vertex,
/// and what they enclose is the smaller part of the sphere.
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

  /// The reason for refusing a shape.
  struct Problem: Error { var reason: String }

  var shape: Shape

  static func make(_ shape: GeoShape) -> Result<GeoRegion, Problem> {
    do {
      switch shape {
      case .box(let first, let second): return .success(GeoRegion(shape: .box(try point(first), try point(second))))
      case .circle(let center, let radius):
        let radius = try number(radius)
        guard radius >= 0, radius.isFinite else {
          throw Problem(reason: "The radius of a circle must be a non-negative number")
        }
        return .success(GeoRegion(shape: .circle(try point(center), radius: radius)))
      case .polygon(let rings):
        let rings = try rings.map { try $0.map(point) }
        if let reason = GeoRings(rings).complaint { throw Problem(reason: reason) }
        return .success(GeoRegion(shape: .polygon(rings)))
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
      throw Problem(
        reason: "Longitude/latitude is out of bounds, lng: \(GeoShape.text(longitude)) lat: \(GeoShape.text(latitude))")
    }
    return Point(longitude: longitude, latitude: latitude)
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
      let point = Point(longitude: longitude, latitude: latitude)
      guard let outer = rings.first, GeoRings.encloses(outer, point) else { return false }
      return !rings.dropFirst().contains { GeoRings.encloses($0, point) }
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
}

/// The positions of the two properties that make an embedded object a point.
struct GeoReader: Hashable, Sendable {
  var type: Int
  var coordinates: Int
}
