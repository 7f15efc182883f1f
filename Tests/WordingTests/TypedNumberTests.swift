import Foundation
import JSON
import Testing
import Wording

/// `Tests/Scripts/numbers.json` is followed by the reader in scripts as well (`numbers.mjs`).
struct TypedNumberTests {
    static let vectors: JSON = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = (try? Data(contentsOf: tests.appending(path: "Scripts/numbers.json"))) ?? Data()
        return (try? JSON.parse(Array(bytes), allowsNull: true)) ?? .null
    }()

    static func list(_ name: String) -> [[JSON]] { (vectors[name]?.array ?? []).compactMap(\.array) }

    /// What a vector says of a reading.
    private static func told(_ read: TypedNumber?) -> JSON {
        switch read {
        case nil: .null
        case .number(let value)?: .number(value)
        case .unreadable?: .string("wrong")
        case .either(let two)?: .array([two.grouped, two.fraction, two.typed].map(JSON.string))
        }
    }

    @Test(arguments: list("read"))
    func `RP-211 a typed number follows its vectors`(_ vector: [JSON]) throws {
        let text = try #require(vector[0].string)
        #expect(Self.told(TypedNumber(text)) == vector[1], "\(text)")
    }

    @Test(arguments: list("limited"))
    func `RP-211 limits decide where they allow one reading`(_ vector: [JSON]) throws {
        let text = try #require(vector[0].string)
        let limits = TypedNumber.Limits(
            minimum: vector[1]["minimum"]?.number, maximum: vector[1]["maximum"]?.number,
            step: vector[1]["step"]?.number)
        #expect(Self.told(TypedNumber(text, limits)) == vector[2], "\(text)")
    }

    @Test(arguments: list("spelled"))
    func `RP-211 a number is spelled so that it is read as itself`(_ vector: [JSON]) throws {
        let number = try #require(vector[0].number)
        let spelled = TypedNumber.spelled(number)
        #expect(.string(spelled) == vector[1])
        #expect(TypedNumber(spelled) == .number(number))
    }

    @Test func `RP-211 there are vectors`() {
        #expect(
            Self.list("read").count > 50 && Self.list("limited").count > 5 && Self.list("spelled").count > 10)
    }
}
