import DataExchange
import DataModel
import Foundation
import ObjectStore
import Testing

@Suite("Model code") struct ModelTests {
  static let schema = Schema([
    ObjectSchema(
      className: "Person", primaryKey: "id",
      properties: [
        Property(name: "id", type: .objectId, isIndexed: true),
        Property(name: "full name", type: .string, isIndexed: true),
        Property(name: "class", type: .string, isOptional: true),
        Property(name: "born", type: .date),
        Property(name: "friends", type: .object, collection: .list, objectClassName: "Person"),
        Property(name: "address", type: .object, objectClassName: "Address", isOptional: true),
        Property(name: "scores", type: .double, collection: .dictionary, isOptional: true),
        Property(name: "tags", type: .string, collection: .set),
        Property(name: "extra", type: .any, isOptional: true),
      ]),
    ObjectSchema(
      className: "Address", kind: .embedded,
      properties: [Property(name: "street", type: .string), Property(name: "photo", type: .data)]),
  ])

  @Test("Swift models have the classes, keys, indexes and names of the schema")
  func swift() {
    #expect(
      ModelGenerator(.swift).code(for: Self.schema) == #"""
        import Foundation
        import RealmSwift

        class Address: EmbeddedObject {
          @Persisted var street: String
          @Persisted var photo: Data
        }

        class Person: Object {
          @Persisted(primaryKey: true) var id: ObjectId
          @Persisted(indexed: true) var full_name: String
          @Persisted var `class`: String?
          @Persisted var born: Date
          @Persisted var friends: List<Person>
          @Persisted var address: Address?
          @Persisted var scores: Map<String, Double?>
          @Persisted var tags: MutableSet<String>
          @Persisted var extra: AnyRealmValue

          override class func propertiesMapping() -> [String: String] { ["full_name": "full name"] }
        }

        """#)
  }

  /// The code is part of these tests: GeneratedModels.swift.
  @Test("Swift models compile and declare the schema that they were made from")
  func compiled() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "generated", objectTypes: [ModelPerson.self, ModelAddress.self]))
    let code = ModelGenerator(.swift).code(for: try realm.file.contents().schema)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "GeneratedModels.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(code.replacing("import RealmSwift", with: "import ObjectStore") == text)
  }

  @Test("Kotlin models have the classes, keys, indexes and names of the schema")
  func kotlin() {
    #expect(
      ModelGenerator(.kotlin).code(for: Self.schema) == #"""
        import io.realm.kotlin.ext.*
        import io.realm.kotlin.types.*
        import io.realm.kotlin.types.annotations.*
        import org.mongodb.kbson.*

        class Address : EmbeddedRealmObject {
            var street: String = ""
            var photo: ByteArray = byteArrayOf()
        }

        class Person : RealmObject {
            @PrimaryKey
            var id: BsonObjectId = BsonObjectId()
            @Index
            @PersistedName("full name")
            var full_name: String = ""
            var `class`: String? = null
            var born: RealmInstant = RealmInstant.from(0, 0)
            var friends: RealmList<Person> = realmListOf()
            var address: Address? = null
            var scores: RealmDictionary<Double?> = realmDictionaryOf()
            var tags: RealmSet<String> = realmSetOf()
            var extra: RealmAny? = null
        }

        """#)
  }

  @Test("TypeScript models have the classes, keys, indexes and names of the schema")
  func typeScript() {
    #expect(
      ModelGenerator(.typescript).code(for: Self.schema) == #"""
        import Realm, { BSON, ObjectSchema } from "realm";

        export class Address extends Realm.Object<Address> {
          street!: string;
          photo!: ArrayBuffer;

          static schema: ObjectSchema = {
            name: "Address",
            embedded: true,
            properties: {
              street: { type: "string" },
              photo: { type: "data" },
            },
          };
        }

        export class Person extends Realm.Object<Person> {
          id!: BSON.ObjectId;
          "full name"!: string;
          class?: string | null;
          born!: Date;
          friends!: Realm.List<Person>;
          address?: Address;
          scores!: Realm.Dictionary<number | null>;
          tags!: Realm.Set<string>;
          extra?: Realm.Types.Mixed;

          static schema: ObjectSchema = {
            name: "Person",
            primaryKey: "id",
            properties: {
              id: { type: "objectId" },
              "full name": { type: "string", indexed: true },
              class: { type: "string", optional: true },
              born: { type: "date" },
              friends: { type: "list", objectType: "Person" },
              address: { type: "object", objectType: "Address" },
              scores: { type: "dictionary", objectType: "double", optional: true },
              tags: { type: "set", objectType: "string" },
              extra: { type: "mixed", optional: true },
            },
          };
        }

        """#)
  }

  @Test(
    "models for Java, JavaScript and Dart have the classes, keys, indexes and names of the schema",
    arguments: [
      (
        ModelGenerator.Language.java,
        [
          "@RealmClass(embedded = true)\npublic class Address extends RealmObject {",
          "    @PrimaryKey\n    @Required\n    public ObjectId id = new ObjectId();",
          "    @Index\n    @Required\n    @RealmField(name = \"full name\")\n    public String full_name = \"\";",
          "    @RealmField(name = \"class\")\n    public String class_;",
          "    public RealmList<Person> friends = new RealmList<>();", "    public Address address;",
          "    public RealmDictionary<Double> scores = new RealmDictionary<>();", "    public RealmAny extra;",
        ]
      ),
      (
        .javascript,
        [
          "export class Address extends Realm.Object {\n  static schema = {", "    embedded: true,",
          "    primaryKey: \"id\",", "      \"full name\": { type: \"string\", indexed: true },",
          "      friends: { type: \"list\", objectType: \"Person\" },",
        ]
      ),
      (
        .dart,
        [
          "@RealmModel(ObjectType.embeddedObject)\nclass _Address {", "  @PrimaryKey()\n  late ObjectId id;",
          "  @Indexed()\n  @MapTo(\"full name\")\n  late String full_name;",
          "  @MapTo(\"class\")\n  late String? valueClass;", "  late List<_Person> friends;",
          "  late _Address? address;", "  late Map<String, double?> scores;", "  late RealmValue extra;",
        ]
      ),
    ])
  func others(_ language: ModelGenerator.Language, _ lines: [String]) {
    let code = ModelGenerator(language).code(for: Self.schema)
    for line in lines { #expect(code.contains(line), "\(line)\n\(code)") }
  }

  @Test(
    "a class that is called by a reserved word has another name in the code, and its own in the file",
    arguments: [
      (ModelGenerator.Language.java, "@RealmClass(name = \"new\")\npublic class new_ extends", "public new_ next;"),
      (
        .javascript, "export class new_ extends Realm.Object {\n  static schema = {\n    name: \"new\",",
        "objectType: \"new\""
      ),
      (.typescript, "export class new_ extends Realm.Object<new_> {", "next?: new_;"),
    ])
  func reserved(_ language: ModelGenerator.Language, _ declaration: String, _ link: String) {
    let code = ModelGenerator(language).code(
      for: Schema([
        ObjectSchema(
          className: "new",
          properties: [Property(name: "next", type: .object, objectClassName: "new", isOptional: true)])
      ]))
    #expect(code.contains(declaration), "\(code)")
    #expect(code.contains(link), "\(code)")
  }

  @Test("C# models have the classes, keys, indexes and names of the schema")
  func cSharp() { #expect(ModelGenerator(.csharp).code(for: Self.schema) == Self.cSharpCode) }

  static let cSharpCode = #"""
    using System;
    using System.Collections.Generic;
    using MongoDB.Bson;
    using Realms;

    public partial class Address : IEmbeddedObject
    {
        [MapTo("street")]
        public string Street { get; set; } = "";

        [MapTo("photo")]
        public byte[] Photo { get; set; } = Array.Empty<byte>();
    }

    public partial class Person : IRealmObject
    {
        [PrimaryKey]
        [MapTo("id")]
        public ObjectId Id { get; set; }

        [Indexed]
        [MapTo("full name")]
        public string Full_name { get; set; } = "";

        [MapTo("class")]
        public string? Class { get; set; }

        [MapTo("born")]
        public DateTimeOffset Born { get; set; }

        [MapTo("friends")]
        public IList<Person> Friends { get; } = null!;

        [MapTo("address")]
        public Address? Address { get; set; }

        [MapTo("scores")]
        public IDictionary<string, double?> Scores { get; } = null!;

        [MapTo("tags")]
        public ISet<string> Tags { get; } = null!;

        [MapTo("extra")]
        public RealmValue Extra { get; set; }
    }

    """#
}
