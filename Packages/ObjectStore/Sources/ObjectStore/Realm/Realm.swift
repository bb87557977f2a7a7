public struct Realm {}
