import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import Synchronization
import TestKit
import Testing

@Suite("the directory of a cluster", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct PostgresDirectoryTests {
  @Test("what holds for each directory holds over one database that two nodes use", arguments: DirectoryLaw.allCases)
  func law(law: DirectoryLaw) async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let one = try PostgresDirectory(ClusterDatabase(address), keys: keys.path)
      let others = try keys.copied()
      let other = try PostgresDirectory(ClusterDatabase(address), keys: others.path)
      try law.check(one, other)
      #expect(try one.problems() == [])
    }
  }

  @Test("it answers as the one in memory, reopened at any time", arguments: Seeds.some(3))
  func model(seed: UInt64) async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let database = try ClusterDatabase(address)
      var random = SeededGenerator(seed: seed)
      let model = MemoryDirectory()
      var durable = try PostgresDirectory(database, keys: keys.path)
      for step in 0..<80 {
        if random.oneIn(20) {
          durable.close()
          durable = try PostgresDirectory(database, keys: keys.path)
        }
        let edit = DirectoryEdit(using: &random)
        let expected = try edit.apply(to: model), found = try edit.apply(to: durable)
        #expect(found == expected, "SEED=\(seed) step \(step): \(edit)")
      }
      #expect(try durable.problems() == [], "SEED=\(seed)")
    }
  }

  @Test("calls of two nodes at the same time answer as if they came one after another", arguments: Seeds.some(6))
  func race(seed: UInt64) async throws {
    let race = DirectoryRace(using: SeededGenerator(seed: seed))
    let keys = KeysFolder()
    let directories = try await OnePostgres.withDatabase { address in
      let directories = try (0..<2).map { _ in try PostgresDirectory(ClusterDatabase(address), keys: keys.path) }
      for edit in race.before { _ = try edit.perform(on: directories[0]) }
      return directories
    }
    let (isSerial, problems) = try await onOwnThread {
      (
        try race.isSerial(try race.answers(of: directories), DirectoryEdit.summary(of: directories[0])),
        try directories[1].problems()
      )
    }
    #expect(isSerial, "SEED=\(seed)")
    #expect(problems == [], "SEED=\(seed)")
  }

  @Test("the feed forgets what is old, and says so to whoever asks for it")
  func forgotten() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let directory = try PostgresDirectory(ClusterDatabase(address), keys: keys.path)
      try DirectorySample.fill(directory)
      let start = try directory.changes(after: nil).position
      // The feed as it is after more changes than are remembered.
      try directory.write { try $0.put(.changes, .integer(20_223), .text("user"), .text("bob")) }
      for _ in 0..<33 { try directory.updateUser("ann", isAdministrator: nil, isDisabled: false) }
      #expect(try !directory.changes(after: start).isComplete)
      #expect(try directory.changes(after: 20_250).changes.count == 6)
      #expect(try directory.read { try $0.count(.changes) } == 34)
      #expect(try directory.problems() == [])
    }
  }

  @Test("a closed directory answers with an error, and the database serves others")
  func closed() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let database = try ClusterDatabase(address)
      let directory = try PostgresDirectory(database, keys: keys.path)
      directory.close()
      let error = #expect(throws: ServerError.self) { try directory.user("ann") }
      #expect(error?.code == .stopped)
      #expect(try PostgresDirectory(database, keys: keys.path).userCount() == 0)
    }
  }

  @Test("a statement that a conflict rolled back, and one on a connection that was lost, are repeated")
  func repeated() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let database = try ClusterDatabase(address)
      let directory = try PostgresDirectory(database, keys: keys.path)
      try DirectorySample.fill(directory)
      let others = try PostgresConnection(PostgresConnection.parameters(of: address))
      try others.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()
        """)
      #expect(try directory.user("ann") != nil)
      // A trigger that fails once, as a serialization failure does.
      try others.query(
        """
        CREATE SEQUENCE attempts;
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('public.attempts') = 1 THEN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER fails AFTER INSERT ON openrealm.users EXECUTE FUNCTION fail()
        """)
      try directory.updateUser("ann", isAdministrator: false, isDisabled: true)
      #expect(try directory.user("ann")?.isDisabled == true)
      #expect(try others.query("SELECT last_value FROM attempts").integer(0, 0) == 2)
      #expect(try directory.problems() == [])
    }
  }

  @Test("a transaction whose commit fails throws, and nothing of it is there")
  func failedCommit() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let directory = try PostgresDirectory(ClusterDatabase(address), keys: keys.path)
      try DirectorySample.fill(directory)
      let other = try PostgresConnection(PostgresConnection.parameters(of: address))
      try other.query(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_terminate_backend(pg_backend_pid());
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON openrealm.users DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION fail()
        """)
      let error = #expect(throws: ServerError.self) {
        try directory.updateUser("bob", isAdministrator: nil, isDisabled: true)
      }
      #expect(error?.code == .directoryFailure)
      #expect(error?.description.contains("unknown") == true)
      try other.query("DROP TRIGGER fails ON openrealm.users")
      #expect(try directory.user("bob")?.isDisabled == false)
      #expect(try directory.problems() == [])
    }
  }

  @Test("a change is on the disk of a database that acknowledges commits before")
  func synchronous() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let other = try PostgresConnection(PostgresConnection.parameters(of: address))
      let name = try #require(try other.query("SELECT current_database()")[0, 0])
      try other.query("ALTER DATABASE \(name) SET synchronous_commit = off")
      let directory = try PostgresDirectory(ClusterDatabase(address), keys: keys.path)
      try other.query(
        """
        CREATE TABLE found(setting text);
        CREATE FUNCTION find() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.found VALUES (current_setting('synchronous_commit'));
          RETURN NULL;
        END $$;
        CREATE TRIGGER finds AFTER INSERT ON openrealm.users EXECUTE FUNCTION find()
        """)
      try DirectorySample.fill(directory)
      #expect(try other.query("SELECT DISTINCT setting FROM found").row(0) == ["on"])
    }
  }

  @Test("a node that stops within a transaction holds the others no longer than its session may idle")
  func stoppedNode() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let directory = try PostgresDirectory(ClusterDatabase(address), keys: keys.path)
      let stopped = try PostgresConnection(PostgresConnection.parameters(of: address))
      try stopped.query(
        """
        BEGIN; SET LOCAL idle_in_transaction_session_timeout = '300ms';
        SELECT pg_advisory_xact_lock(\(0x4F52_4C44))
        """)
      try DirectorySample.fill(directory)
      #expect(throws: PostgresError.self) { try stopped.query("COMMIT") }
    }
  }
}
