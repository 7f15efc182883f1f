import Foundation
import Records
import Secrets
import Web
import Wire

/// The mark of a device among those of its person: a keyed hash of its name. Devices without a name are one.
enum DeviceMark {
    static func of(_ name: String?, _ key: PersonKey) -> String {
        guard let name else { return "" }
        let marks = key.key.derived(for: "measuring devices")
        return String(Token.base64url(Digest.keyed(marks, Array(name.utf8))).prefix(22))
    }
}

/// A day as one device told it.
struct ToldDay: Sendable {
    let draft: DayDraft
    /// The values sent singly; nil for a day that was sent whole.
    let filed: [FiledValue]?
    let receivedAt: Instant

    /// Whether it is the same again. Compared as stored: to a thousandth.
    func says(_ new: DayDraft) -> Bool {
        filed == nil && draft.zone.told == new.zone.told && draft.total == new.total
            && draft.completeUntil == new.completeUntil
            && SampleCoding.encode(draft.samples) == SampleCoding.encode(new.samples)
    }

    /// Whether it tells nothing, or a sum of nothing.
    var isEmpty: Bool {
        draft.samples.isEmpty && draft.total == nil || draft.type.isSum && figure == 0
    }

    /// The total, or the sum of the series.
    var figure: Double { draft.total ?? DaySums(draft.samples).sum }

    /// The hours of the day in which something was measured; of sums something more than nothing.
    var hours: Int {
        var covered: Set<Int> = []
        for sample in draft.samples where !draft.type.isSum || sample.value > 0 {
            covered.formUnion(sample.offset / 3_600...max(sample.offset, sample.end - 1) / 3_600)
        }
        return covered.count
    }

    var wire: MeasurementDay {
        let sums = DaySums(draft.samples)
        return MeasurementDay(
            type: draft.type, date: draft.date, source: draft.source, zone: draft.zone.name,
            zoneWord: draft.zone.word, n: sums.n, sum: sums.sum,
            mean: sums.n == 0 ? nil : sums.sum / Double(sums.n), min: sums.low, max: sums.high,
            total: draft.total, completeUntil: draft.completeUntil, receivedAt: receivedAt, version: 1)
    }

    // MARK: Sealed

    private struct Body: Codable {
        let device: String?
        let zone: String
        let word: String?
        let completeUntil: Int64
        let series: Data
        let total: Double?
        let filed: [FiledValue]?
    }

    func body() throws -> [UInt8] {
        let body = Body(
            device: draft.device, zone: draft.zone.name, word: draft.zone.word,
            completeUntil: draft.completeUntil.milliseconds, series: Data(SampleCoding.encode(draft.samples)),
            total: draft.total, filed: filed)
        return Array(try JSONEncoder().encode(body))
    }

    init(_ draft: DayDraft, filed: [FiledValue]? = nil, receivedAt: Instant) {
        self.draft = draft
        self.filed = filed
        self.receivedAt = receivedAt
    }

    /// - Throws: `SampleCoding.Broken`, `DecodingError`.
    init(_ day: DayName, body bytes: [UInt8], receivedAt: Instant) throws {
        let body = try JSONDecoder().decode(Body.self, from: Data(bytes))
        self.init(
            DayDraft(
                type: day.type, date: day.date, source: day.source, device: body.device,
                zone: DeviceZone(name: body.zone, word: body.word),
                completeUntil: Instant(milliseconds: body.completeUntil),
                samples: try SampleCoding.decode(Array(body.series)), total: body.total),
            filed: body.filed, receivedAt: receivedAt)
    }
}
