import Testing
import Wire

@testable import Wearables

/// Days that are full, in small.
@Suite struct SettlementTests {
    private static let date = LocalDate(daysSince1970: 20_776)

    private func value(_ id: String, at offset: Int, lasting length: Int = 10) -> FiledValue {
        FiledValue(id: id, offset: offset, length: length, value: 60)
    }

    private func refused(
        _ known: [FiledValue], _ new: [FiledValue], limit: Int
    ) -> [String: OpenDay.Objection] {
        var settlement = Settlement(.heartRate, Set(new.map(\.id)), limit: limit)
        settlement.open(Self.date, known, new: new)
        settlement.settle()
        return settlement.refused
    }

    @Test func `RP-113 of too many the last ones are refused, and no correction among them`() {
        let known = [value("a", at: 0), value("b", at: 20), value("c", at: 900)]
        let new = [value("c", at: 901), value("d", at: 40), value("e", at: 60)]
        #expect(refused(known, new, limit: 4) == ["e": .tooMany])
        #expect(refused(known, new, limit: 3) == ["d": .tooMany, "e": .tooMany])
    }

    @Test func `RP-113 what overlaps only one that is one too many is filed`() {
        let known = [value("a", at: 0), value("b", at: 20)]
        // Alone the new one, which ends first, would go before the correction.
        let new = [value("a", at: 100, lasting: 100), value("c", at: 150)]
        #expect(refused(known, new, limit: 3) == ["a": .overlaps])
        #expect(refused(known, new, limit: 2) == ["c": .overlaps])
    }
}
