import DataModel
import Testing

@Suite("Schemas and values") struct SchemaTests {
  @Test("a schema with links, lists and inverse relationships is valid")
  func valid() throws {
    let schema = Schema([
      ObjectSchema(
        className: "Person", primaryKey: "_id",
        properties: [
          Property(name: "_id", type: .int),
          Property(name: "dogs", type: .object, collection: .list, objectClassName: "Dog"),
        ]),
      ObjectSchema(
        className: "Dog",
        properties: [
          Property(name: "owner", type: .object, objectClassName: "Person", isOptional: true),
          Property(
            name: "owners", type: .linkingObjects, collection: .list, objectClassName: "Person",
            originPropertyName: "dogs"),
        ]),
    ])
    try schema.validate()
    #expect(schema["Person"]?.primaryKeyProperty?.type == .int)
  }

  @Test(
    "impossible declarations are refused with class and property",
    arguments: [
      (
        Schema([ObjectSchema(className: "A", properties: []), ObjectSchema(className: "A", properties: [])]),
        "class 'A' twice"
      ),
      (
        Schema([
          ObjectSchema(className: "A", properties: [Property(name: "x", type: .int), Property(name: "x", type: .int)])
        ]), "'x' twice"
      ),
      (
        Schema([
          ObjectSchema(
            className: "A", properties: [Property(name: "x", type: .object, objectClassName: "B", isOptional: true)])
        ]), "class 'B'"
      ),
      (
        Schema([ObjectSchema(className: "A", properties: [Property(name: "x", type: .object, objectClassName: "A")])]),
        "optional"
      ),
      (
        Schema([ObjectSchema(className: "A", primaryKey: "x", properties: [Property(name: "x", type: .double)])]),
        "primary key"
      ),
      (Schema([ObjectSchema(className: "A", primaryKey: "y", properties: [])]), "not declared"),
    ] as [(Schema, String)])
  func refused(schema: Schema, part: String) {
    do {
      try schema.validate()
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains(part))
    }
  }

  @Test("an ObjectId comes back from its text and bytes")
  func objectId() throws {
    let id = try ObjectId(string: "0123456789ABCDEF01234567")
    #expect(id.stringValue == "0123456789abcdef01234567")
    #expect(ObjectId(bytes: id.bytes) == id)
    #expect(ObjectId.zero < id)
    #expect(throws: DataModelError.self) { _ = try ObjectId(string: "xyz") }
    #expect(throws: DataModelError.self) { _ = try ObjectId(string: "0123456789ABCDEF0123456é") }
  }

  @Test("halves of a timestamp must agree in sign")
  func timestamp() {
    #expect(Timestamp(validating: 1, nanoseconds: -1) == nil)
    #expect(Timestamp(validating: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Timestamp(seconds: -1, nanoseconds: -1) < Timestamp(seconds: -1))
  }

  @Test("a decimal keeps sign, coefficient and exponent")
  func decimal() throws {
    let value = try #require(Decimal128(isNegative: true, coefficient: 1234, exponent: -2))
    #expect(value.isNegative)
    #expect(value.coefficient == 1234)
    #expect(value.exponent == -2)
    #expect(value.isFinite)
    #expect(Decimal128(isNegative: false, coefficient: UInt128(1) << 113, exponent: 0) == nil)
    #expect(Decimal128(isNegative: false, coefficient: 1, exponent: 6112) == nil)
  }
}
