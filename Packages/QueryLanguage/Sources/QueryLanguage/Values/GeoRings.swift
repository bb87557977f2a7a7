#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The rings of a polygon on the sphere. They make a polygon when each is closed and free of crossings, all but the first
/// lie within the first and beside each other, and no edge occurs twice.
struct GeoRings {
  typealias Point = GeoRegion.Point

  /// The most edges that are compared with each other, in O(*n*²); polygons with more are accepted unchecked.
  private static let limit = 2000

  private let rings: [[Point]]

  /// - Parameter rings: each ends with the point that it begins with.
  init(_ rings: [[Point]]) { self.rings = rings }

  /// The reason for which the rings make no polygon; nil when they do.
  var complaint: String? {
    if rings.isEmpty { return "Polygon has no rings." }
    for (number, ring) in rings.enumerated() {
      guard let first = ring.first, let last = ring.last, first == last else {
        return "Ring \(number) is not closed, its first vertex does not equal its last one"
      }
      let different = Set(ring).count
      guard different >= 3 else {
        return "Ring \(number) must have at least 3 different vertices, \(different) unique vertices were provided"
      }
    }
    let edges = rings.map(Self.edges)
    guard edges.reduce(0, { $0 + $1.count }) <= Self.limit else { return nil }
    return Self.crossing(edges) ?? misplaced(edges) ?? Self.repeated(edges)
  }

  private static func edges(_ ring: [Point]) -> [Edge] { zip(ring, ring.dropFirst()).map { Edge($0, $1) } }

  private static func crossing(_ rings: [[Edge]]) -> String? {
    for (number, ring) in rings.enumerated() {
      for (first, edge) in ring.enumerated() {
        for (second, other) in ring.enumerated().dropFirst(first + 2) where edge.crosses(other) {
          return "Ring \(number) is not valid: 'Edges \(first) and \(second) cross. Edge locations in degrees: "
            + "\(edge) and \(other)'"
        }
      }
    }
    return nil
  }

  private func misplaced(_ edges: [[Edge]]) -> String? {
    for number in rings.indices.dropFirst() where !contains(0, number, edges) {
      return "Secondary ring \(number) not contained by first exterior ring - secondary rings must be holes in the "
        + "first ring"
    }
    for inner in rings.indices.dropFirst() {
      for outer in rings.indices.dropFirst() where outer != inner && contains(outer, inner, edges) {
        return "Polygon interior rings cannot be nested: \(inner)"
      }
    }
    return nil
  }

  private static func repeated(_ rings: [[Edge]]) -> String? {
    for (number, ring) in rings.enumerated() {
      for (before, other) in rings.enumerated().prefix(number) {
        for (first, edge) in ring.enumerated() {
          for (second, twin) in other.enumerated() {
            if edge.hasEnds(of: twin) {
              return "Polygon isn't valid: 'Duplicate edge: ring \(number), edge \(first) and ring \(before), "
                + "edge \(second)'"
            }
            if edge.crosses(twin) {
              return "Polygon isn't valid: 'Ring \(number), edge \(first) crosses ring \(before), edge \(second)'"
            }
          }
        }
      }
    }
    return nil
  }

  /// Whether one ring lies within another; they may share vertices and edges.
  private func contains(_ outer: Int, _ inner: Int, _ edges: [[Edge]]) -> Bool {
    let vertices = Set(rings[outer])
    for edge in edges[inner] {
      if edges[outer].contains(where: edge.crosses) { return false }
      // A ring that only joins vertices of the other lies where its edges lie.
      let isShared = vertices.contains(edge.from) && vertices.contains(edge.to)
      if isShared, edges[outer].contains(where: edge.hasEnds) { continue }
      for point in isShared ? [edge.middle] : [edge.from, edge.to].filter({ !vertices.contains($0) }) {
        guard Self.encloses(rings[outer], point), !edges[outer].contains(where: { $0.contains(point) }) else {
          return false
        }
      }
    }
    return true
  }

  /// Whether a point lies in a ring: the way from it to the north pole crosses the ring an odd number of times, or an even
  /// number when the pole lies inside.
  static func encloses(_ ring: [Point], _ point: Point) -> Bool {
    var isInside = false
    var turn = 0.0
    var height = 0.0
    for (from, to) in zip(ring, ring.dropFirst()) {
      let width = angle(from.longitude, to.longitude)
      turn += width
      height += sin(radians(from.latitude))
      let offset = angle(from.longitude, point.longitude)
      guard (0 > offset) != (width > offset) else { continue }
      let rise =
        tan(radians(from.latitude)) * sin(radians(width - offset)) + tan(radians(to.latitude)) * sin(radians(offset))
      if point.latitude < atan(rise / sin(radians(width))) * 180 / .pi { isInside.toggle() }
    }
    return abs(turn) > 180 && height > 0 ? !isInside : isInside
  }

  /// The short way from one longitude to another, in degrees east.
  private static func angle(_ from: Double, _ to: Double) -> Double {
    let angle = (to - from).remainder(dividingBy: 360)
    return angle == -180 ? 180 : angle
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// The great circle between two vertices.
private struct Edge: CustomStringConvertible {
  let from: GeoRegion.Point
  let to: GeoRegion.Point
  private let start: SIMD3<Double>
  private let end: SIMD3<Double>

  init(_ from: GeoRegion.Point, _ to: GeoRegion.Point) {
    (self.from, self.to) = (from, to)
    (start, end) = (Self.vector(from), Self.vector(to))
  }

  /// The ends, latitude first.
  var description: String { "\(Self.text(from))-\(Self.text(to))" }

  private static func text(_ point: GeoRegion.Point) -> String {
    "[\(GeoShape.text(point.latitude, "%.7f")), \(GeoShape.text(point.longitude, "%.7f"))]"
  }

  var middle: GeoRegion.Point {
    let sum = start + end
    let radius = (sum.x * sum.x + sum.y * sum.y).squareRoot()
    return GeoRegion.Point(longitude: atan2(sum.y, sum.x) * 180 / .pi, latitude: atan2(sum.z, radius) * 180 / .pi)
  }

  /// Whether both meet within both; ends that touch do not count.
  func crosses(_ other: Edge) -> Bool {
    guard from != other.from, from != other.to, to != other.from, to != other.to else { return false }
    let plane = Self.cross(start, end)
    let first = -Self.dot(plane, other.start)
    guard first * Self.dot(plane, other.end) > 0 else { return false }
    let otherPlane = Self.cross(other.start, other.end)
    return first * -Self.dot(otherPlane, end) > 0 && first * Self.dot(otherPlane, start) > 0
  }

  func hasEnds(of other: Edge) -> Bool {
    (from == other.from && to == other.to) || (from == other.to && to == other.from)
  }

  /// Whether a point lies on the edge itself.
  func contains(_ point: GeoRegion.Point) -> Bool {
    let vector = Self.vector(point)
    let plane = Self.cross(start, end)
    return Self.dot(plane, vector) == 0 && Self.dot(Self.cross(plane, start), vector) >= 0
      && Self.dot(Self.cross(end, plane), vector) >= 0
  }

  private static func vector(_ point: GeoRegion.Point) -> SIMD3<Double> {
    let (longitude, latitude) = (point.longitude * .pi / 180, point.latitude * .pi / 180)
    return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
}
