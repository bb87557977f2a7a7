import Foundation
import ObjectStore
import TestKit

/// Random edits of embedded objects, sets, dictionaries, mixed values and objects without primary key.
enum EditsOfEveryType {
  static func make(in realm: Realm, by device: String, using random: inout SeededGenerator) {
    for _ in 0...Int.random(in: 0..<4, using: &random) { makeOne(in: realm, by: device, using: &random) }
  }

  private static func makeOne(in realm: Realm, by device: String, using random: inout SeededGenerator) {
    let key = "card \(Int.random(in: 0..<5, using: &random))"
    guard let card = realm.object(ofType: Card.self, forPrimaryKey: key) else {
      let card = Card()
      card._id = key
      realm.add(card)
      return
    }
    let word = "\(Int.random(in: 0..<6, using: &random))"
    let number = Int.random(in: 0..<100, using: &random)
    switch Int.random(in: 0..<19, using: &random) {
    case 0: realm.delete(card)
    case 1: card.numbers.insert(number % 8)
    case 2: card.numbers.remove(number % 8)
    case 3: card.words.insert(word)
    case 4: card.words.removeAll()
    case 5: card.counts[word] = number
    case 6: card.counts.removeObject(for: word)
    case 7: card.mixed[word] = value(number, using: &random)
    case 8: card.mixedList.insert(value(number, using: &random), at: number % (card.mixedList.count + 1))
    case 9 where !card.mixedList.isEmpty: card.mixedList.remove(at: number % card.mixedList.count)
    case 10: card.anything = value(number, using: &random)
    case 11: card.cards[word] = realm.object(ofType: Card.self, forPrimaryKey: "card \(number % 5)")
    case 12:
      if let other = realm.object(ofType: Card.self, forPrimaryKey: "card \(number % 5)") { card.links.insert(other) }
    case 13: card.home = random.oneIn(4) ? nil : place(number)
    case 14 where card.home != nil:
      card.home?.number += 1
      card.home?.tags.append(word)
    case 15: card.places.insert(place(number), at: number % (card.places.count + 1))
    case 16 where !card.places.isEmpty:
      if random.oneIn(3) {
        card.places.remove(at: number % card.places.count)
      } else {
        card.places[number % card.places.count].street = word
      }
    case 17: scalars(card, number, using: &random)
    default: loose(in: realm, by: device, number, using: &random)
    }
  }

  private static func loose(
    in realm: Realm, by device: String, _ number: Int, using random: inout SeededGenerator
  ) {
    let all = realm.objects(Loose.self)
    if all.count > 4, random.oneIn(3) { return realm.delete(all[number % all.count]) }
    if !all.isEmpty, random.oneIn(2) { return all[number % all.count].value += 1 }
    let loose = Loose()
    loose.maker = device
    loose.value = number
    realm.add(loose)
  }

  private static func scalars(_ card: Card, _ number: Int, using random: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: card.flag.toggle()
    case 1: card.amount = random.oneIn(3) ? nil : Decimal128(number)
    case 2: card.at = Date(timeIntervalSince1970: Double(number) * 1_000.5)
    case 3: card.bytes = Data(repeating: UInt8(number), count: number)
    case 4: card.unique = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number)))
    default: card.ratio = Float(number) / 7
    }
  }

  private static func place(_ number: Int) -> Place {
    let place = Place()
    place.street = "street \(number)"
    place.number = number
    return place
  }

  private static func value(_ number: Int, using random: inout SeededGenerator) -> AnyRealmValue {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: .int(number)
    case 1: .string("text \(number)")
    case 2: .bool(number.isMultiple(of: 2))
    case 3: .double(Double(number) / 3)
    case 4: .data(Data([UInt8(number)]))
    case 5: .date(Date(timeIntervalSince1970: Double(number)))
    default: .none
    }
  }
}
