import Instruments
import Wire

/// The bands of a score of the baseline, by which allocation is balanced (ST-5).
package struct ScoreBands: Sendable, Hashable {
    package static let most = 9

    /// Of a questionnaire that is a required baseline of the study.
    package let key: String
    package let scale: String
    /// The upper limits of all bands but the last one, each in its band; rising.
    package let limits: [Double]

    package init(key: String, scale: String, limits: [Double]) {
        self.key = key
        self.scale = scale
        self.limits = limits
    }

    /// As it is stored: `phq9:total:4,9`.
    var name: String { "\(key):\(scale):" + limits.map(Self.text).joined(separator: ",") }

    init?(name: some StringProtocol) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let limits = parts[2].split(separator: ",").compactMap { Double($0) }
        self.init(key: String(parts[0]), scale: String(parts[1]), limits: limits)
    }

    /// Whole numbers without a fraction, others as short as they can be told.
    package static func text(_ limit: Double) -> String {
        limit == limit.rounded() ? String(Int(limit)) : String(limit)
    }

    /// From 1.
    package func band(of value: Double) -> Int { limits.count { value > $0 } + 1 }

    /// What is not known is a level of its own.
    func level(_ value: Double?) -> String {
        "score/\(key)/\(scale)/" + (value.map { String(band(of: $0)) } ?? "")
    }

    /// The band of a level; nil for one that is not known.
    package static func band(ofLevel level: String) -> Int? {
        level.split(separator: "/", omittingEmptySubsequences: false).last.flatMap { Int($0) }
    }
}
