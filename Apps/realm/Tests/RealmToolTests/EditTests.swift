import Foundation
import Testing

@Suite struct EditTests {
  let kennel: Kennel

  init() throws { kennel = try Kennel() }

  @Test func setWritesFieldsOfOneObject() throws {
    #expect(try kennel.run("set", kennel.file, "Dog", "1", "age=10", "name=Rex = King") == "changed Dog[1]\n")
    #expect(
      try kennel.run("query", kennel.file, "Dog", "age = 10", "--json")
        == #"{"id": 1, "name": "Rex = King", "age": 10, "owner": "7-1"}"# + "\n")
    #expect(try kennel.run("set", kennel.file, "Dog", "1", "owner:=null") == "changed Dog[1]\n")
    #expect(try kennel.run("query", kennel.file, "Dog", "owner = null", "--count") == "3\n")
    #expect(try kennel.run("set", kennel.file, "Dog", "2", "owner=7-1") == "changed Dog[2]\n")
    #expect(try kennel.run("query", kennel.file, "Dog", "owner.name = 'Ann'", "-f", "id").contains("2\n"))
    #expect(
      try kennel.run("set", kennel.file, "Person", "7-1", "name=Eve", "--json") == #"{"created":0,"updated":1}"# + "\n")
  }

  @Test func setMakesObjectsOnlyIfAsked() throws {
    #expect(kennel.failure("set", kennel.file, "Dog", "9", "age=1").contains("there is no Dog[9]"))
    #expect(try kennel.run("set", kennel.file, "Dog", "9", "age=1", "--create") == "made Dog[9]\n")
  }

  @Test func setRefusesWhatDoesNotFit() throws {
    #expect(kennel.failure("set", kennel.file, "Dog", "1", "age=old").contains("age: expected a whole number"))
    #expect(kennel.failure("set", kennel.file, "Dog", "1", "age=").contains("the value is required"))
    #expect(kennel.failure("set", kennel.file, "Dog", "1", "agee=1").contains("did you mean 'age'?"))
    #expect(kennel.failure("set", kennel.file, "Dgo", "1", "age=1").contains("did you mean 'Dog'?"))
    #expect(kennel.failure("set", kennel.file, "Dog", "x", "age=1").contains("its key 'id' is int"))
    #expect(
      kennel.failure("set", kennel.file, "Dog", "1", "id=2").contains("the primary key of an object never changes"))
    // Nothing of a refused command is written.
    #expect(kennel.failure("set", kennel.file, "Dog", "1", "age=10", "owner=x").contains("a key such as 0-7"))
    #expect(try kennel.run("query", kennel.file, "Dog", "age = 9", "--count") == "1\n")
  }

  @Test func deleteTakesKeysOrAQuery() throws {
    #expect(kennel.failure("delete", kennel.file, "Dog", "2", "77").contains("there is no Dog[77]"))
    #expect(try kennel.run("query", kennel.file, "Dog", "--count") == "3\n")
    #expect(try kennel.run("delete", kennel.file, "Dog", "2", "3") == "deleted 2 objects\n")
    #expect(try kennel.run("delete", kennel.file, "Dog", "--where", "age > 100") == "deleted 0 objects\n")
    #expect(try kennel.run("delete", kennel.file, "Dog", "--where", "age > 3", "--json") == #"{"deleted":1}"# + "\n")
    #expect(try kennel.run("query", kennel.file, "Dog", "--count") == "0\n")
  }
}
