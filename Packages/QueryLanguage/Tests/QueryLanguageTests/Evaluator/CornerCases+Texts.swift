/// More cases of ``CornerCaseTests``: of texts, numbers, dates, clauses and formats.
extension CornerCaseTests {
  static let texts = CornerCase.table(
    #"""
    name ==[c] 'émile' -> 6
    name ==[c] 'ηρώ' -> none
    nick ==[c] 'STRASSE' -> none
    photo ==[c] binary('photo') -> 3 10
    'PHOTOS' CONTAINS[c] nick -> 4
    name LIKE '?????' -> 3 6
    name LIKE 'Grace ?' -> 8
    name LIKE[c] '*E' -> 4 5 6 10
    name ==[c] nick -> 5
    name < 'a' -> 1 2 3 5 8 10
    name >[c] 'a' -> syntax
    photo BEGINSWITH binary('Ph') -> 3
    photo CONTAINS 'Ph' -> typeMismatch
    name LIKE '*' -> all
    nick LIKE '' -> 4
    name IN[c] {'ADA', 'EVE'} -> 1 5
    name ENDSWITH 'é' -> 3
    name == 'Chloe\u0301' -> none
    name == 'Chlo\u00e9' -> 3
    desc == 'a\"b' -> 8
    desc == 'it\'s' -> 9
    name CONTAINS '\ud83d\ude80' -> 8
    age CONTAINS '3' -> operatorNotSupported
    name == B64"QWRh" -> 1
    name LIKE '*a*a*' -> 7
    """#)
  static let arithmetic = CornerCase.table(
    #"""
    age / 24 == 1 -> 1 2 3 4 5 8 9
    age - 24 == 0 -> 2 4
    24 - age == 5 -> 7
    age * 2.5 == 60 -> 2 4
    age / 0 > 0 -> all
    ANY nums + 1 == 4 -> 1 10
    nums + nums == 4 -> invalidExpression
    name + 1 == 2 -> operatorNotSupported
    score * 2 == 14.5 -> 2 7
    age == 2 * 12 -> 2 4
    age + 1 * 2 == 26 -> 2 4
    (age + 1) * 2 == 50 -> 2 4
    age - 1 - 1 == 22 -> 2 4
    0 / age == 0 -> all
    height / 0 == inf -> 1 2 4 5 6 7 8 9 10
    age / 24.0 == 1 -> 2 4
    age == 0x18 -> 2 4
    age == 024 -> 2 4
    age == +24 -> 2 4
    dogs.age + 1 == 8 -> 1 6
    ALL nums * 0 == 0 -> 1 2 3 5 6 7 8 9 10
    """#)
  static let dates = CornerCase.table(
    #"""
    born == 1969-12-31@00:00:00 -> 1
    born > 2017-12-01@12:07:53:500 -> 6 8 9
    born == T-86400:0 -> 1
    born == T1:-1 -> syntax
    born < T0:0 -> 1 10
    born == 2017-13-01@00:00:00 -> syntax
    born == 2017-02-29@00:00:00 -> syntax
    born == 2000-1-1T0:0:0 -> 5
    born == 1899-12-31@00:00:00 -> syntax
    """#)
  static let clauses = CornerCase.table(
    #"""
    age > 40 SORT(manager.name ASC) -> 6 5 10
    TRUEPREDICATE SORT(manager.name DESC) LIMIT(2) -> 1 8
    TRUEPREDICATE SORT(height ASC) LIMIT(2) -> 3 10
    TRUEPREDICATE DISTINCT(active) -> 1 2 4
    TRUEPREDICATE DISTINCT(manager.age) -> 2 4 5 7 10
    TRUEPREDICATE SORT(name ASC) SORT(age DESC) LIMIT(2) -> 10 6
    TRUEPREDICATE LIMIT(-1) -> syntax
    TRUEPREDICATE SORT(tags ASC) -> operatorNotSupported
    TRUEPREDICATE SORT(meta['desk'] DESC) LIMIT(2) -> 1 8
    TRUEPREDICATE SORT(extra ASC) LIMIT(3) -> 4 5 3
    TRUEPREDICATE LIMIT(0) -> none
    TRUEPREDICATE LIMIT(3) SORT(age ASC) -> 2 3 1
    TRUEPREDICATE LIMIT 3 SORT(age ASC) -> 2 3 1
    TRUEPREDICATE SORT(age ASC) DISTINCT(active) LIMIT 2 -> 7 4
    TRUEPREDICATE LIMIT 0 -> none
    TRUEPREDICATE LIMIT -1 -> syntax
    TRUEPREDICATE LIMIT 2.5 -> syntax
    TRUEPREDICATE LIMIT -> syntax
    TRUEPREDICATE LIMIT(3 -> syntax
    TRUEPREDICATE LIMIT 3) -> syntax
    TRUEPREDICATE SORT(age) -> syntax
    TRUEPREDICATE SORT(age ASC) DISTINCT(active) LIMIT(2) -> 7 4
    TRUEPREDICATE SORT(dogs.age ASC) -> operatorNotSupported
    TRUEPREDICATE SORT(nope ASC) -> unknownName
    SORT(age ASC) -> syntax
    age > 40 INCLUDE(@links.Order.customer) -> 5 6 10
    age > 40 INCLUDE(manager) -> invalidExpression
    age > 40 LIMIT(1, 2) -> syntax
    """#)
  static let formats =
    CornerCase.table(
      dialect: .nspredicate,
      #"""
      SELF == 1 -> operatorNotSupported
      name matches 'x' -> operatorNotSupported
      active == YES -> 1 3 5 8 9
      nick == NIL -> 2 7
      name == '%@' -> none
      age > %@ -> argument
      name LIKE[d] 'x' -> operatorNotSupported
      name <[cd] 'x' -> operatorNotSupported
      meta.@allKeys == 'room' -> 6
      any meta.@allValues == 101 -> 6
      NOT age Between {20, 60} -> 7 10
      age In {24, 36} aNd active = tRuE -> 1 8
      none dogs.name == 'Rex' and dogs.@count > 0 -> 2 5 6 8 9
      nick = nil or nick == '' -> 2 4 7
      dogs.@min.age < 2 -> 4
      name contains[d] 'E' -> 5 6 10
      all nums > 0 -> 1 2 3 5 6 8 9 10
      """#) + [
      .format("%K BEGINSWITH[cd] %@", "6", ["name", "emi"]),
      .format("ANY tags == %@ AND NOT (age < %d)", "5 6", ["math", 40]), .format("dogs.@count == %lu", "4 6", [3]),
      .format("age == %@", "argument", [true]), .format("active == %@", "argument", [1]),
      .format("name IN %@", "1", [["Ada", "x"]]), .format("%@ IN tags", "1 5 6", ["math"]),
      .format("SUBQUERY(dogs, $x, $x.age > 3 && $x.name != %@).@count >= 1", "1 5 6 8 9", ["x"]),
      .format("manager.name ==[c] %@", "2 3 6", ["ADA"]), .format("active == %@", "1 3 5 8 9", [true]),
      .format("age != %@ SORT(age desc) LIMIT(1)", "10", [1]),
    ]
  static let fullText =
    CornerCase.table(
      #"""
      Product: title TEXT 'red -shoes' -> 4
      Product: title TEXT 'run*' -> 1 2 5
      Product: title TEXT 'brulee' -> 3
      Product: title TEXT 'S' -> 5
      Product: title TEXT '-red' -> argument
      Product: title TEXT '' -> argument
      Product: title TEXT 'red -red' -> argument
      Product: title TEXT 'red-brown' -> argument
      name TEXT 'x' -> operatorNotSupported
      Product: title TEXT[c] 'x' -> syntax
      Product: NOT title TEXT 'red' -> 2 3 5 6
      Product: title fulltext 'RED brown' -> 4
      Product: title TEXT 'r*d' -> argument
      Line: product.title TEXT 'red' -> 1 4 7 8
      Order: lines.product.title TEXT 'red' -> 1 3 5
      Order: NONE lines.product.title TEXT 'red' -> 2 4 6 7
      Product: title TEXT 'run* -jack*' -> 1 5
      """#) + [
      CornerCase("title TEXT $0", "1 4", [.value(.string("red"))], in: "Product")
    ]
  static let links =
    CornerCase.table(
      #"""
      manager == obj('Person', 1) -> 2 3 6
      manager != obj('Person', 1) -> 1 4 5 7 8 9 10
      dogs == obj('Dog', 'Kuro') -> 5 9
      ANY dogs IN {obj('Dog', 'Kuro'), obj('Dog', 'Milo')} -> 5 6 9
      NONE dogs == obj('Dog', 'Rex') -> 2 3 5 6 7 8 9 10
      manager == manager.manager -> 1 8
      dogs.vet.open == true -> 1 4 5 9
      ALL dogs.vet.open == true -> 2 3 4 5 7 10
      favourite.vet.rating >= 4.5 -> 1 4 8 10
      dogs.nope == 1 -> unknownName
      manager.dogs.age > 6 -> 2 3 6 7 10
      dogs.vet.location GEOWITHIN geoBox([12, 55], [13, 56]) -> 1 4
      manager GEOWITHIN geoBox([12, 55], [13, 56]) -> operatorNotSupported
      Clinic: location GEOWITHIN geoCircle([12.5, 55.7], -1) -> argument
      """#) + [
      CornerCase("$K0 == $1", "2 3 6 9", ["manager.age", 36]), CornerCase("$K0.x == 1", "syntax", ["manager"]),
      CornerCase("manager == $0", "1 8", [nil]),
    ]
}
