/// The cases of ``CornerCaseTests``.
extension CornerCaseTests {
  static let nulls =
    CornerCase.table(
      #"""
      height != 1.65 -> 2 3 4 5 6 7 8 9 10
      NOT height > 1.7 -> 1 3 5 6 8 10
      height <= null -> 3
      height < null -> none
      nick BEGINSWITH null -> all
      nick LIKE null -> 2 7
      nick CONTAINS first-pet -> none
      nick LIKE first-pet -> 2 7
      manager.manager.name == null -> 1 2 3 6 8 9
      nick BEGINSWITH '' -> 1 3 4 5 6 8 9 10
      dogs == null -> invalidExpression
      dogs.vet == null -> invalidExpression
      nums == null -> 4
      dogs.@count == null -> none
      ANY dogs.age == favourite.age -> 1 2 4 5 6 8 9
      nick != null AND nick != '' -> 1 3 5 6 8 9 10
      photo == binary('') -> 4
      height + 1 == null -> 3
      """#) + [
      CornerCase("nick == $0", "2 7", [nil])
    ]
  static let ranges =
    CornerCase.table(
      #"""
      manager.age BETWEEN {24, 36} -> 2 3 4 5 6 9 10
      age BETWEEN {40, 20} -> none
      age BETWEEN {24, null} -> invalidExpression
      age BETWEEN 24 -> syntax
      age BETWEEN {1, 2, 3} -> invalidExpression
      ALL nums BETWEEN {1, 3} -> 1 2 3 10
      name BETWEEN {'A', 'D'} -> 1 2 3
      extra BETWEEN {2, 10} -> 3 9
      age BETWEEN[c] {1, 2} -> syntax
      manager BETWEEN {1, 2} -> operatorNotSupported
      nums.@sum BETWEEN {5, 9} -> 1 4 9 10
      """#) + [
      CornerCase("age BETWEEN $0", "2 3 4 9", [[24, 31]]), CornerCase("age BETWEEN {23.5, $0}", "2 3 4 9", [31]),
    ]
  static let aggregates = CornerCase.table(
    #"""
    nums.@sum == 0 -> 3
    nums.@min == null -> 3
    nums.@avg > 7.5 -> 5 6 8
    nums.@avg == 5 -> 4
    dogs.@sum.age == 7 -> 4
    dogs.@min.age == null -> 2 3 7 10
    dogs.@max.weight > 30 -> 1 4 9
    dogs.@avg.age > 4.9 -> 1 5 9
    dogs.@sum > 1 -> operatorNotSupported
    tags.@sum == 1 -> operatorNotSupported
    dogs.@count.age == 1 -> syntax
    meta.@sum > 10 -> 1 6 8
    meta.@max == null -> 3 10
    age.@sum == 1 -> operatorNotSupported
    ANY nums.@sum == 1 -> syntax
    nums.@sum.x == 1 -> operatorNotSupported
    Order: history.@sum == 1 -> operatorNotSupported
    Order: values.@sum == 0 -> 2 3 4 6
    Order: values.@min == null -> 3
    Order: values.@max == 'two' -> 2
    Order: values.@max == T1:0 -> 5
    Order: values.@min == false -> 4
    Order: values.@avg == 20 -> 7
    Order: history.@max > T1510000001:0 -> 5 7
    Order: lines.product.@max.price == 199.0 -> 4
    """#)
  static let counts = CornerCase.table(
    #"""
    dogs.friends.@count == 1 -> 5 9
    name.@count > 6 -> 7 8 10
    nick.@count == 0 -> 4
    nick.@count == null -> 2 7
    photo.@size == 5 -> 3 10
    extra.@count == 9 -> 2 10
    manager.@count == 0 -> 1 8
    tags[SIZE] == 4 -> 10
    meta.@count == 2 -> 1 4 6 8
    age.@count == 1 -> operatorNotSupported
    tags.length == 5 -> 2 3 7
    favourite.toys.@count == 0 -> 2 3 6 7
    """#)
  static let backlinks = CornerCase.table(
    #"""
    @links.@count == 2 -> 3
    @links.Order.customer.@count > 1 -> 2
    @links.Order.customer.total > 100 -> 2 5
    NONE @links.Order.customer.total > 100 -> 1 3 4 6 7 8 9 10
    ALL @links.Order.customer.total > 100 -> 4 5 6 7 8 9
    @links.Order.customer.@max.total == 301.25 -> 2
    @links.Order.customer.lines.qty == 10 -> 2
    @links.Person.dogs.@count > 0 -> unknownName
    @links.Nope.x.@count > 0 -> unknownName
    @links == null -> syntax
    @links.Order.customer == null -> invalidExpression
    SUBQUERY(@links.Order.customer, $o, $o.total > 100).@count == 1 -> 2 5
    @links.Person.manager.@links.Person.manager.@count == 2 -> none
    Product: @links.Line.product.@sum.qty == 10 -> 4
    """#)
  static let mixed = CornerCase.table(
    #"""
    extra == 42.0 -> 1
    extra > 5 -> 1 9
    extra != 42 -> 2 3 4 5 6 7 8 9 10
    extra >= 'G' -> 2
    extra == true -> 5
    extra == 1 -> none
    extra.@type == 'numeric' -> 1 3 9
    extra.@type IN {'string', 'link'} -> 2 7 10
    extra CONTAINS[c] 'forty' -> 2 10
    extra == obj('Dog', 'Rex') -> 7
    extra == null -> 4
    extra.@type == 'wrong' -> argument
    extra.@type > 'int' -> operatorNotSupported
    extra.@type == 5 -> typeMismatch
    age.@type == 'int' -> invalidExpression
    extra * 2 == 84 -> 1
    extra * 2 == null -> 2 4 5 6 7 8 10
    extra IN {7, 'forty two', true} -> 2 5 9
    extra['k'] == 1 -> none
    extra[0] != null -> none
    Order: values == 1 -> 1 5
    Order: values.@type == 'null' -> 2 5
    Order: ALL values > 5 -> 3 7
    extra == T1000:0 -> 6
    extra < T2000:0 -> 6
    Product: attrs.color == 'red' -> 1
    Product: attrs['weight'] > 100 -> 1 3
    Product: attrs.@keys == 'lined' -> 2
    """#)
  static let types =
    CornerCase.table(
      #"""
      name == 5 -> typeMismatch
      age == 'x' -> typeMismatch
      age == '36' -> 1 8
      active == 1 -> typeMismatch
      born == 5 -> typeMismatch
      token == 'x' -> typeMismatch
      favourite == obj('Person', 1) -> typeMismatch
      score == '7.25' -> 2 7
      age == inf -> typeMismatch
      age == 36.5 -> none
      age != 36.5 -> all
      age < 24.5 -> 2 4 7
      age == nan -> none
      name == null -> none
      5 == 5 -> invalidExpression
      age == age -> all
      age ==[c] 5 -> operatorNotSupported
      age IN 5 -> invalidExpression
      active > false -> 1 3 5 8 9
      favourite > 5 -> operatorNotSupported
      name == binary('Ada') -> typeMismatch
      score == 7.25 -> 2 7
      manager == 1 -> typeMismatch
      age == 9223372036854775808 -> syntax
      age > -9223372036854775808 -> all
      manager == obj('Nope', 1) -> unknownName
      manager == obj('Person', 99) -> none
      manager != obj('Person', 99) -> all
      """#) + [
      CornerCase("age == $0", "argument", ["x"]), CornerCase("age IN $0", "argument", [5]),
      CornerCase("age == $1", "argument", [5]),
    ]
}
