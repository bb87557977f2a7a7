public import Permissions
public import Telemetry

extension SQLiteDirectory {
  public func facts(of path: RealmPath) throws(ServerError) -> RealmFacts {
    try use { database in
      let text = DirectoryValue.text(path.description)
      let exists = try database.has(.realms, ["path": text])
      return RealmFacts(
        path: path, exists: exists,
        grants: try database.rows(.grants, ["path": text], order: "grantee", read: Self.grant))
    }
  }

  public func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool {
    try use { database in try database.transaction { try Self.record(path, user, time, in: &$0) } }
  }

  static func record(
    _ path: RealmPath, _ user: UserId, _ time: WallTime, in database: inout DirectoryDatabase
  ) throws -> Bool {
    let text = DirectoryValue.text(path.description)
    let isAdded = try database.add(
      .realms, text, .text(path.owner?.rawValue), .text(user.rawValue), .integer(time.millisecondsSince1970))
    return try isAdded && database.add(.usedPaths, text)
  }

  public func realms(in user: UserId) throws(ServerError) -> [RealmPath] {
    try use { try $0.rows(.realms, ["folder": .text(user.rawValue)], read: Self.path) }
  }

  public func allRealms() throws(ServerError) -> [RealmPath] { try use { try $0.rows(.realms, read: Self.path) } }

  public func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let text = DirectoryValue.text(path.description)
        let isGone = try !database.remove(.realms, ["path": text]).isEmpty
        for table in [.grants, .offers, .withdrawals] as [DirectoryTable] { try database.remove(table, ["path": text]) }
        let renamed = try database.remove(.renamed, where: "path IS ? OR target IS ?", [text, text])
        return isGone || !renamed.isEmpty
      }
    }
  }

  public func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let (old, new) = (DirectoryValue.text(path.description), DirectoryValue.text(newPath.description))
        guard try !database.has(.realms, ["path": new]) else { return false }
        let moved = try database.change(.realms, ["path": old]) { values in
          values[0] = new
          values[1] = .text(newPath.owner?.rawValue)
        }
        guard moved == 1 else { return false }
        _ = try database.add(.usedPaths, new)
        for table in [.grants, .withdrawals] as [DirectoryTable] {
          try database.remove(table, ["path": new])
          try database.change(table, ["path": old]) { $0[0] = new }
        }
        try database.change(.offers, ["path": old]) { $0[2] = new }
        try database.change(.renamed, ["target": old]) { $0[1] = new }
        try database.put(.renamed, old, new)
        try database.remove(.renamed, ["path": new])
        return true
      }
    }
  }

  public func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath? {
    try use { database in
      try database.rows(.renamed, ["path": .text(path.description)]) { row in
        row.text(1).flatMap { try? RealmPath($0) }
      }.first
    }
  }

  public func grants(to user: UserId) throws(ServerError) -> [Grant] {
    try use { try $0.rows(.grants, ["grantee": .text(user.rawValue)], order: "path", read: Self.grant) }
  }

  public func setGrant(_ grant: Grant) throws(ServerError) {
    let (path, grantee) = (DirectoryValue.text(grant.path.description), DirectoryValue.text(grant.grantee.description))
    let (level, time) = (Int64(grant.level.rawValue), DirectoryValue.integer(grant.updatedAtMilliseconds))
    try use { database in
      try database.transaction { database in
        let before = try database.rows(.grants, ["path": path, "grantee": grantee]) { $0.integer(2) }.first
        if grant.level == .none || level < before ?? 0 { try database.put(.withdrawals, path, grantee, time) }
        if grant.level == .none {
          try database.remove(.grants, ["path": path, "grantee": grantee])
        } else {
          try database.put(.grants, path, grantee, .integer(level), time)
        }
      }
    }
  }

  public func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime? {
    try use { database in
      try database.rows(
        .withdrawals, ["path": .text(path.description), "grantee": .text(grantee.description)]
      ) { $0.integer(2).map { WallTime(millisecondsSince1970: $0) } }.first
    }
  }

  public func createOffer(_ offer: OfferRecord) throws(ServerError) {
    try use { database in
      try database.put(
        .offers, .text(offer.token), .text(offer.user.rawValue), .text(offer.path.description),
        .integer(Int64(offer.level.rawValue)), .integer(offer.createdAt.millisecondsSince1970),
        .integer(offer.expiresAt?.millisecondsSince1970))
    }
  }

  public func offer(_ token: String) throws(ServerError) -> OfferRecord? {
    try use { try $0.rows(.offers, ["token": .text(token)], read: Self.offer).first }
  }

  public func offers(of user: UserId) throws(ServerError) -> [OfferRecord] {
    try use { try $0.rows(.offers, ["user": .text(user.rawValue)], order: "created, token", read: Self.offer) }
  }

  public func deleteOffer(_ token: String) throws(ServerError) {
    _ = try use { try $0.remove(.offers, ["token": .text(token)]) }
  }

  private static func path(_ row: DirectoryRow) -> RealmPath? { row.text(0).flatMap { try? RealmPath($0) } }

  private static func grant(_ row: DirectoryRow) -> Grant? {
    guard let path = path(row), let grantee = row.text(1), let number = row.integer(2),
      let level = AccessLevel(rawValue: UInt(clamping: number))
    else { return nil }
    return Grant(path: path, grantee: Grantee(grantee), level: level, updatedAtMilliseconds: row.integer(3) ?? 0)
  }

  private static func offer(_ row: DirectoryRow) -> OfferRecord? {
    guard let token = row.text(0), let user = row.text(1), let path = row.text(2).flatMap({ try? RealmPath($0) }),
      let level = AccessLevel(rawValue: UInt(clamping: row.integer(3) ?? 0))
    else { return nil }
    return OfferRecord(
      token: token, user: UserId(user), path: path, level: level,
      createdAt: WallTime(millisecondsSince1970: row.integer(4) ?? 0),
      expiresAt: row.integer(5).map { WallTime(millisecondsSince1970: $0) })
  }
}
