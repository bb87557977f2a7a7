/// More cases of ``CornerCaseTests``: of lists, subqueries and dictionaries.
extension CornerCaseTests {
  static let lists =
    CornerCase.table(
      #"""
      age IN {'x', 24, null} -> 2 4
      nick IN {null, 'clo'} -> 2 3 7
      age IN {} -> none
      NOT age IN {} -> all
      tags == {'math', 'poetry'} -> 1
      colors == {'blue', 'red'} -> 1 9
      tags != {'math', 'poetry'} -> 2 3 4 5 6 7 8 9 10
      ANY tags == {'math'} -> 1 5 6
      nums == {} -> 3
      tags BEGINSWITH {'mu'} -> 2
      nums > ALL {2, 3} -> 4 5 6 8 9
      ALL {1, 2} IN nums -> 1 10
      ALL {1, 2} == NONE nums -> 3 4 5 6 7 8
      dogs.toys == 'ball' -> 1 4 5 6 9
      ALL dogs.toys == 'ball' -> 1 2 3 6 7 10
      ALL nick == 'x' -> operatorNotSupported
      ANY age > 5 -> operatorNotSupported
      ANY 5 == nums -> syntax
      age != {24, 36} -> all
      age == NONE {24, 36} -> 3 5 6 7 9 10
      favourite IN dogs -> 1 4 5 8 9
      tags == colors -> invalidExpression
      nums[0] == 1 -> 2 10
      nums[LAST] == 3 -> 10
      nums[5] == null -> all
      nums[FIRST] == null -> 3 4
      dogs[1].name == 'Rex' -> 4
      dogs[1].age != 7 -> 4 6 9
      colors[0] == 'x' -> operatorNotSupported
      nums['a'] == 1 -> operatorNotSupported
      name[0] == 'A' -> operatorNotSupported
      nums[-1] == 1 -> syntax
      tags IN {{'a'}} -> syntax
      {1, 2} == nums -> none
      {1, 2, 3} == nums -> 10
      """#) + [
      CornerCase("ANY $0 == nums", "argument", [5]), CornerCase("nums == ANY $0", "1 2 10", [[1, 99]]),
      CornerCase("nums == ALL $0", "none", [[1, 99]]), CornerCase("nums[$0] == 2", "9", [0]),
    ]
  static let subqueries = CornerCase.table(
    #"""
    SUBQUERY(dogs, $d, $d.age > 2 AND $d.vet.name == 'North Vet').@count > 1 -> 4
    SUBQUERY(dogs, $d, SUBQUERY($d.friends, $f, $f.age > 4).@count > 0).@count > 0 -> 1 4 8
    SUBQUERY(dogs, $d, $d.age > age).@count > 0 -> none
    SUBQUERY(dogs, $d, $d.manager == null).@count > 0 -> unknownName
    SUBQUERY(dogs, $d, SUBQUERY($d.friends, $d, $d.age > 4).@count > 0).@count > 0 -> invalidExpression
    SUBQUERY(manager, $m, $m.age > 1).@count > 0 -> invalidExpression
    SUBQUERY(nums, $n, $n.x > 1).@count > 0 -> invalidExpression
    SUBQUERY(dogs, d, d.age > 1).@count > 0 -> syntax
    SUBQUERY(dogs, $d, $d.age > 1).@max > 0 -> syntax
    SUBQUERY(dogs, $d, $e.age > 1).@count > 0 -> unknownName
    SUBQUERY(dogs, $d, TRUEPREDICATE).@count == dogs.@count -> all
    SUBQUERY(dogs, $d, $d.age == null).@count == 1 -> 2 6
    Clinic: SUBQUERY(rooms, $r, $r.age > 2).@count > 1 -> ?
    """#)
  static let dictionaries =
    CornerCase.table(
      #"""
      meta['floor'] == 3 -> 1 6
      meta['floor'] == null -> 3 4 5 10
      meta.@keys == 'desk' -> 1 4 5 8
      ANY meta.@values > 11 -> 1 6
      meta == 9 -> 8
      meta.floor == 9 -> 8
      ALL meta > 1 -> 1 3 6 7 8 10
      meta[0] == 1 -> operatorNotSupported
      meta[FIRST] == 1 -> operatorNotSupported
      meta[*] == 101 -> 6
      meta['nope'] == null -> all
      meta['floor'] + 1 == 4 -> 1 6
      ANY meta.@keys BEGINSWITH 'ro' -> 6
      meta.@keys == {'desk', 'floor'} -> 1 4 8
      Clinic: rooms.age > 8 -> ?
      Clinic: rooms['A'].age == 3 -> ?
      """#) + [
      CornerCase("meta[$0] == 101", "6", ["room"])
    ]
}
