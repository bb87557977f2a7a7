#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
  /// Degrees east, from -180 to 180.
  public var longitude: GeoNumber
  /// Degrees north, from -90 to 90.
  public var latitude: GeoNumber
  /// A third coordinate as written; it has no influence.
  public var altitude: GeoNumber?

  /// A point in degrees.
  public init(longitude: GeoNumber, latitude: GeoNumber, altitude: GeoNumber? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }
}

/// A number of a shape: degrees, or radians for a radius.
public enum GeoNumber: Hashable, Sendable, ExpressibleByFloatLiteral {
  /// A number as written.
  case value(Double)
  /// `$n`.
  case argument(Int)

  /// A number as written.
  public init(floatLiteral value: Double) { self = .value(value) }
}

extension GeoShape: CustomStringConvertible {
  /// The shape as messages name it: `GeoCircle([12.5, 55.7], 0.01)`, `GeoPolygon({[0, 0], [1, 0], [0, 1], [0, 0]})`.
  public var description: String {
    switch self {
    case .box(let first, let second): "GeoBox(\(Self.text(first)), \(Self.text(second)))"
    case .circle(let center, let radius): "GeoCircle(\(Self.text(center)), \(Self.text(radius)))"
    case .polygon(let rings):
      "GeoPolygon(" + rings.map { "{" + $0.map(Self.text).joined(separator: ", ") + "}" }.joined(separator: ", ") + ")"
    }
  }

  private static func text(_ point: GeoPoint) -> String {
    let numbers = [point.longitude, point.latitude] + [point.altitude].compactMap { $0 }
    return "[" + numbers.map(text).joined(separator: ", ") + "]"
  }

  private static func text(_ number: GeoNumber) -> String {
    switch number {
    case .value(let value): text(value)
    case .argument(let index): "$\(index)"
    }
  }

  /// A number in the form that `printf` gives it, of six digits unless told.
  static func text(_ value: Double, _ format: String = "%g") -> String {
    var buffer = [UInt8](repeating: 0, count: 400)
    let length = buffer.withUnsafeMutableBytes { bytes in
      withVaList([value]) { vsnprintf(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), 400, format, $0) }
    }
    return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
  }
}
