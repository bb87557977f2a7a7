/// A region on the sphere, for GEOWITHIN. Coordinates are degrees: longitude first, then latitude.
public enum GeoShape: Hashable, Sendable {
  /// Between two corners, along parallels and meridians.
  case box(GeoPoint, GeoPoint)
  /// All points within a great-circle distance of a centre.
  case circle(GeoPoint, radius: GeoNumber)
  /// Inside the first ring and outside the others. Each ring ends where it starts.
  case polygon([[GeoPoint]])
}

/// A corner, a centre or a vertex.
public struct GeoPoint: Hashable, Sendable {
  public var longitude: GeoNumber
  public var latitude: GeoNumber
  /// A third coordinate as written; it has no influence.
  public var altitude: GeoNumber?

  public init(longitude: GeoNumber, latitude: GeoNumber, altitude: GeoNumber? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }
}

/// A number of a shape: degrees, or radians for a radius.
public enum GeoNumber: Hashable, Sendable, ExpressibleByFloatLiteral {
  case value(Double)
  case argument(Int)

  public init(floatLiteral value: Double) { self = .value(value) }
}
