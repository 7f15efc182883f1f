import Records
import Wire

extension TrialDesign {
    /// What allocation is balanced by (ST-5).
    package enum Stratum: Sendable, Hashable {
        case site, gender
        /// Only where allocation waits for the baseline.
        case score(ScoreBands)

        /// As it is stored, and committed to.
        package var name: String {
            switch self {
            case .site: "site"
            case .gender: "gender"
            case .score(let bands): "score:" + bands.name
            }
        }

        init?(name: String) {
            switch name {
            case "site": self = .site
            case "gender": self = .gender
            default:
                guard name.hasPrefix("score:"), let bands = ScoreBands(name: name.dropFirst(6)) else {
                    return nil
                }
                self = .score(bands)
            }
        }

        package var score: ScoreBands? {
            if case .score(let bands) = self { return bands }
            return nil
        }
    }
}

extension [TrialDesign.Stratum] {
    /// In one order, whatever a call names first: levels stand by it in the log, and it is committed to.
    var ordered: [TrialDesign.Stratum] {
        [.site, .gender].filter(contains) + filter { $0.score != nil }.sorted { $0.name < $1.name }
    }

    package var scores: [ScoreBands] { compactMap(\.score) }

    var column: String { map(\.name).joined(separator: " ") }

    /// As they are stored.
    static func stored(_ column: String) -> [TrialDesign.Stratum] {
        column.split(separator: " ").compactMap { TrialDesign.Stratum(name: String($0)) }
    }

    package var wire: [StudyDesign.Stratum] {
        map { stratum in
            switch stratum {
            case .site: .init(kind: "site")
            case .gender: .init(kind: "gender")
            case .score(let bands):
                .init(kind: "score", questionnaireKey: bands.key, scale: bands.scale, bands: bands.limits)
            }
        }
    }
}

/// The strata of a participant at the moment of allocation. What is not known of them is a level of its own, as any other.
package struct AllocationLevels: Sendable {
    /// The sequence of the site: its name, else the therapist, whose patients are a site of their own; empty for all without one.
    package let site: String
    /// Nil where it is not said.
    package let gender: Gender?
    /// The scores of the baseline, where it has them.
    package let scores: [ScoreBands: Double]

    package init(site: String, gender: Gender?, scores: [ScoreBands: Double] = [:]) {
        self.site = site
        self.gender = gender == .notStated ? nil : gender
        self.scores = scores
    }

    package func level(of stratum: TrialDesign.Stratum) -> String {
        switch stratum {
        case .site: site
        case .gender: "gender/" + (gender?.rawValue ?? "")
        case .score(let bands): bands.level(scores[bands])
        }
    }

    /// The sequence of the site within these strata. Without any it is called as it was before there were strata.
    package func sequence(in strata: [TrialDesign.Stratum]) -> String {
        // Names of sites may hold anything, so they come last.
        strata.filter { $0 != .site }.map { level(of: $0) + "/" }.joined() + site
    }
}
