import QueryLanguage
import RecordStore

/// A place on the earth, in degrees.
public struct GeoPoint: Hashable, Sendable {
  /// From -90 to 90.
  public let latitude: Double
  /// From -180 to 180.
  public let longitude: Double
  /// In metres; plays no part in comparisons.
  public let altitude: Double

  /// Nil outside of the ranges, and for a negative altitude.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }

  /// Nil outside of the ranges.
  public init?(_ coordinates: (Double, Double)) { self.init(latitude: coordinates.0, longitude: coordinates.1) }

  var queryPoint: QueryLanguage.GeoPoint {
    QueryLanguage.GeoPoint(longitude: .value(longitude), latitude: .value(latitude), altitude: .value(altitude))
  }
}

/// A region that a query can ask for.
public protocol GeoRegionShape: Sendable {
  /// The region as the query language has it. Not for use by applications.
  var _queryShape: any Sendable { get }
}

extension GeoRegionShape {
  var queryShape: GeoShape {
    guard let shape = _queryShape as? GeoShape else { violated("'\(self)' is no region of a query.") }
    return shape
  }
}

/// The region between two corners, along parallels and meridians.
public struct GeoBox: Hashable, GeoRegionShape {
  public let bottomLeft: GeoPoint
  public let topRight: GeoPoint

  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    (self.bottomLeft, self.topRight) = (bottomLeft, topRight)
  }

  /// Nil when a corner is no place on the earth. Corners are latitude and longitude.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  public var _queryShape: any Sendable { GeoShape.box(bottomLeft.queryPoint, topRight.queryPoint) }
}

/// The region inside a ring, and outside of some others in it.
public struct GeoPolygon: Hashable, GeoRegionShape {
  public let outerRing: [GeoPoint]
  public let holes: [[GeoPoint]]

  /// Nil unless each ring has at least four points and ends where it starts.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
    self.init(rings: [outerRing] + holes)
  }

  /// Nil unless each ring has at least four points and ends where it starts.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]) {
    self.init(rings: [outerRing] + holes)
  }

  /// Nil unless each ring has at least four points and ends where it starts. Points are latitude and longitude.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes.map { $0 })
  }

  /// Nil unless each ring has at least four points and ends where it starts. Points are latitude and longitude.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard rings.map(\.count) == ([outerRing] + holes).map(\.count) else { return nil }
    self.init(rings: rings)
  }

  private init?(rings: [[GeoPoint]]) {
    guard let outer = rings.first, rings.allSatisfy({ $0.count > 3 && $0.first == $0.last }) else { return nil }
    (outerRing, holes) = (outer, Array(rings.dropFirst()))
  }

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

  /// Nil when negative.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checked: kilometers / earthRadiusInKilometers)
  }
  /// Nil when negative.
  public static func miles(_ miles: Double) -> Distance? { kilometers(miles * kilometersPerMile) }
  /// Nil when negative.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(checked: degrees * .pi / 180) }
  /// Nil when negative.
  public static func radians(_ radians: Double) -> Distance? { Distance(checked: radians) }

  public func asKilometers() -> Double { radians * Self.earthRadiusInKilometers }
  public func asMiles() -> Double { asKilometers() / Self.kilometersPerMile }
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// The region within a distance of a place.
public struct GeoCircle: Hashable, GeoRegionShape {
  public let center: GeoPoint
  public let radiusInRadians: Double

  /// Nil when the radius is negative.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    (self.center, self.radiusInRadians) = (center, radiusInRadians)
  }

  /// Nil when the centre is no place on the earth, or the radius negative.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  public init(center: GeoPoint, radius: Distance) {
    (self.center, radiusInRadians) = (center, radius.radians)
  }

  /// Nil when the centre is no place on the earth.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  public var _queryShape: any Sendable { GeoShape.circle(center.queryPoint, radius: .value(radiusInRadians)) }
}

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// The place lies within a region. Places are embedded objects with a `type` of "Point" and `coordinates`, longitude
  /// first.
  public func geoWithin(_ region: some GeoRegionShape) -> Query<Bool> { Query<Bool>(.geoWithin(node, region)) }
}
