import QueryLanguage
import RecordStore

/// A point on the earth, in degrees.
public struct GeoPoint: Hashable, Sendable {
  /// The latitude, from -90 to 90 degrees.
  public let latitude: Double
  /// The longitude, from -180 to 180 degrees.
  public let longitude: Double
  /// The altitude in metres. Comparisons ignore it.
  public let altitude: Double

  /// A point; nil for coordinates outside of the ranges, and for a negative altitude.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }

  /// A point from latitude and longitude; nil outside of the ranges.
  public init?(_ coordinates: (Double, Double)) { self.init(latitude: coordinates.0, longitude: coordinates.1) }

  var queryPoint: QueryLanguage.GeoPoint {
    QueryLanguage.GeoPoint(longitude: .value(longitude), latitude: .value(latitude), altitude: .value(altitude))
  }
}

/// RealmSwift's name of ``GeoRegionShape``.
public typealias RLMGeospatial = GeoRegionShape

/// A region, as a query asks for it. It may stand among the arguments of a predicate.
public protocol GeoRegionShape: CVarArg, Sendable {
  /// The region as the query language has it. Not for use by applications.
  var _queryShape: any Sendable { get }
}

extension GeoRegionShape {
  /// Nothing: a region is an argument of predicates, and never one of C functions.
  public var _cVarArgEncoding: [Int] { [] }

  var queryShape: GeoShape {
    guard let shape = _queryShape as? GeoShape else { violated("'\(self)' is no region of a query.") }
    return shape
  }
}

/// The region between two corners, along parallels and meridians.
public struct GeoBox: Hashable, GeoRegionShape {
  /// The corner with the least latitude and longitude.
  public let bottomLeft: GeoPoint
  /// The corner with the greatest latitude and longitude.
  public let topRight: GeoPoint

  /// The region between two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    (self.bottomLeft, self.topRight) = (bottomLeft, topRight)
  }

  /// The region between two corners of latitude and longitude; nil when a corner is no point on the earth.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// The region as the query language has it.
  public var _queryShape: any Sendable { GeoShape.box(bottomLeft.queryPoint, topRight.queryPoint) }
}

/// The region within a ring, without some holes.
public struct GeoPolygon: Hashable, GeoRegionShape {
  /// The boundary; its last point is its first.
  public let outerRing: [GeoPoint]
  /// Boundaries of holes within the region.
  public let holes: [[GeoPoint]]

  /// A polygon; nil unless each ring has at least four points and ends at its first.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
    self.init(rings: [outerRing] + holes)
  }

  /// A polygon; nil unless each ring has at least four points and ends at its first.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]) {
    self.init(rings: [outerRing] + holes)
  }

  /// A polygon; nil unless each ring has at least four points and ends at its first. Points are latitude and longitude.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes.map { $0 })
  }

  /// A polygon; nil unless each ring has at least four points and ends at its first. Points are latitude and longitude.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard rings.map(\.count) == ([outerRing] + holes).map(\.count) else { return nil }
    self.init(rings: rings)
  }

  private init?(rings: [[GeoPoint]]) {
    guard let outer = rings.first, rings.allSatisfy({ $0.count > 3 && $0.first == $0.last }) else { return nil }
    (outerRing, holes) = (outer, Array(rings.dropFirst()))
  }

  /// The region as the query language has it.
  public var _queryShape: any Sendable { GeoShape.polygon(([outerRing] + holes).map { $0.map(\.queryPoint) }) }
}

/// A distance along the surface of the earth.
public struct Distance: Hashable, Sendable {
  /// The angle at the centre of the earth.
  public let radians: Double
  private static let earthRadiusInKilometers = 6378.1
  private static let kilometersPerMile = 1.609344

  private init?(checked radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// A distance in kilometres; nil when negative.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checked: kilometers / earthRadiusInKilometers)
  }
  /// A distance in miles; nil when negative.
  public static func miles(_ miles: Double) -> Distance? { kilometers(miles * kilometersPerMile) }
  /// A distance as the angle at the centre of the earth, in degrees; nil when negative.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(checked: degrees * .pi / 180) }
  /// A distance as the angle at the centre of the earth, in radians; nil when negative.
  public static func radians(_ radians: Double) -> Distance? { Distance(checked: radians) }

  /// The distance in kilometres.
  public func asKilometers() -> Double { radians * Self.earthRadiusInKilometers }
  /// The distance in miles.
  public func asMiles() -> Double { asKilometers() / Self.kilometersPerMile }
  /// The angle at the centre of the earth, in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// The region within a distance of a point.
public struct GeoCircle: Hashable, GeoRegionShape {
  /// The centre.
  public let center: GeoPoint
  /// The radius, as the angle at the centre of the earth.
  public let radiusInRadians: Double

  /// A circle; nil when the radius is negative.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    (self.center, self.radiusInRadians) = (center, radiusInRadians)
  }

  /// A circle around a centre of latitude and longitude; nil when the centre is no point on the earth, or the radius
  /// negative.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// The region within a distance of a point.
  public init(center: GeoPoint, radius: Distance) {
    (self.center, radiusInRadians) = (center, radius.radians)
  }

  /// A circle around a centre of latitude and longitude; nil when the centre is no point on the earth.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The region as the query language has it.
  public var _queryShape: any Sendable { GeoShape.circle(center.queryPoint, radius: .value(radiusInRadians)) }
}

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// The point lies within a region. Points are embedded objects with a `type` of "Point" and `coordinates`, longitude
  /// first.
  public func geoWithin(_ region: some GeoRegionShape) -> Query<Bool> { Query<Bool>(.geoWithin(node, region)) }
}
