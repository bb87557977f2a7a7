/// The length of one rectangle in a row or column of them.
public enum Extent: Equatable, Sendable {
  /// A number of cells. When there are too few, earlier ones are served first.
  case cells(Int)
  /// A share of what the fixed ones leave, by weight.
  case share(Int)

  /// Divides a length. The results add up to `length` if there is a share, and never to more.
  static func divide(_ length: Int, _ extents: [Extent]) -> [Int] {
    var rest = max(0, length)
    var result = extents.map { extent in
      guard case .cells(let wanted) = extent else { return 0 }
      let given = min(max(0, wanted), rest)
      rest -= given
      return given
    }
    var weights = extents.reduce(0) { sum, extent in
      if case .share(let weight) = extent { sum + max(0, weight) } else { sum }
    }
    for index in extents.indices {
      guard case .share(let weight) = extents[index], weight > 0 else { continue }
      result[index] = rest * weight / weights
      rest -= result[index]
      weights -= weight
    }
    return result
  }
}

extension Rect {
  /// Divides the rectangle into rectangles one below the other.
  ///
  ///     screen.split(rows: .cells(1), .share(1), .cells(1))   // heading, body, status line
  public func split(rows extents: Extent...) -> [Rect] {
    var top = row
    return Extent.divide(rows, extents).map { height in
      defer { top += height }
      return Rect(row: top, column: column, rows: height, columns: columns)
    }
  }

  /// Divides the rectangle into rectangles side by side.
  public func split(columns extents: Extent...) -> [Rect] {
    var left = column
    return Extent.divide(columns, extents).map { width in
      defer { left += width }
      return Rect(row: row, column: left, rows: rows, columns: width)
    }
  }
}
