/// GEOWITHIN and its shapes.
extension Parser {
  mutating func geoWithin(_ left: QueryExpression) throws(QueryError) -> Operand {
    let span = token.span
    guard case .property(let property) = left else {
      throw unexpected("a comparison operator; GEOWITHIN takes a property on its left")
    }
    try advance()
    if case .argument(let index) = token.kind {
      try advance()
      return .predicate(.geoWithin(GeoWithinNode(property, .argument(index), span: span)), height: 1)
    }
    let shape = try geoShape()
    return .predicate(.geoWithin(GeoWithinNode(property, .literal(shape), span: span)), height: 1)
  }

  mutating func geoShape() throws(QueryError) -> GeoShape {
    let shape: GeoShape
    if isAt(.geobox) {
      try openShape()
      let first = try point()
      try expect(.comma, in: "between the corners")
      shape = .box(first, try point())
    } else if isAt(.geocircle) {
      try openShape()
      let center = try point()
      try expect(.comma, in: "between centre and radius")
      shape = .circle(center, radius: try number())
    } else if isAt(.geopolygon) {
      try openShape()
      var rings = [try ring()]
      while try take(.comma) { rings.append(try ring()) }
      shape = .polygon(rings)
    } else {
      throw unexpected("geoBox(…), geoCircle(…), geoPolygon(…) or an argument after GEOWITHIN")
    }
    try expect(.rightParenthesis, in: "to close the shape")
    return shape
  }

  private mutating func openShape() throws(QueryError) {
    try advance()
    try expect(.leftParenthesis, in: "after the name of the shape")
  }

  private mutating func ring() throws(QueryError) -> [GeoPoint] {
    try expect(.leftBrace, in: "to open a ring")
    var points = [try point()]
    while try take(.comma) { points.append(try point()) }
    try expect(.rightBrace, in: "to close the ring")
    return points
  }

  private mutating func point() throws(QueryError) -> GeoPoint {
    try expect(.leftBracket, in: "to open a point", hint: "points are written [longitude, latitude]")
    let longitude = try number()
    try expect(.comma, in: "between longitude and latitude")
    let latitude = try number()
    let altitude = try take(.comma) ? try number() : nil
    try expect(.rightBracket, in: "to close the point")
    return GeoPoint(longitude: longitude, latitude: latitude, altitude: altitude)
  }

  private mutating func number() throws(QueryError) -> GeoNumber {
    let result: GeoNumber
    switch token.kind {
    case .constant(.int(let value)): result = .value(Double(value))
    case .constant(.double(let value, _)): result = .value(value)
    case .constant(.float(let value)): result = .value(Double(value))
    case .argument(let index): result = .argument(index)
    default: throw unexpected("a number")
    }
    try advance()
    return result
  }
}
