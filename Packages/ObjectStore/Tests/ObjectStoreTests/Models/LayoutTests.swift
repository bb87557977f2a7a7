import StorageEngine
import Testing

@testable import ObjectStore

class LayoutPerson: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var friends: List<LayoutPerson>
}

class LayoutChild: LayoutPerson {
  @Persisted var age: Int?
}

/// A new compiler that lays out classes in another way fails here first.
@Suite struct LayoutTests {
  @Test("this compiler and its runtime lay out classes as access by address relies on")
  func current() {
    #expect(RuntimeLayout.current.violations == [])
    #expect(RuntimeLayout.current.state == 16)
    #expect(RuntimeLayout.current.numbers == [0, 0, 0, 0])
    #expect(RuntimeLayout.current.owners == [8, 8, 8, 8])
    #expect(MetadataScanner.isLayoutKnown)
    #expect(ActorExecutor.isLayoutKnown)
  }

  @Test("every other layout is named")
  func others() {
    func violations(_ change: (inout RuntimeLayout) -> Void) -> Int {
      var layout = RuntimeLayout.current
      change(&layout)
      return layout.violations.count
    }
    #expect(violations { $0.state = 24 } == 1)
    #expect(violations { $0.state = nil } == 1)
    #expect(violations { $0.numbers[1] = 4 } == 1)
    #expect(violations { $0.owners[3] = 16 } == 1)
    #expect(violations { $0.owners[0] = nil } == 1)
    #expect(violations { $0.isNilZero = false } == 1)
    #expect(violations { $0.isMetadataKnown = false } == 1)
  }

  @Test("the state and the properties that are reached by address are those of the instance")
  func addresses() {
    let child = LayoutChild()
    child.state.pointee.row = RowKey(77)
    let mirror = Mirror(reflecting: child).superclassMirror?.superclassMirror?.superclassMirror
    let state = mirror?.children.compactMap { $0.value as? ObjectState }.first
    #expect(state?.row == RowKey(77))
    child.state.pointee.row = .none
    let numbers = ClassBinding.of(LayoutChild.self).properties.map { property in
      (child.memory + property.offset).load(as: Int32.self)
    }
    #expect(numbers == [0, 1, 2, 3])
  }

  @Test("subclasses are found in the records of the program, at any depth and without being used")
  func records() {
    let found = MetadataScanner().subclasses(of: [Object.self])
    #expect(found.contains { $0 == LayoutPerson.self })
    #expect(found.contains { $0 == LayoutChild.self })
    #expect(!found.contains { $0 == Object.self })
  }
}
