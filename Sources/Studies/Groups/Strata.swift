import JSON
import Records
import Web
import Wire
import Wording

extension TrialDesign {
    /// What allocation is balanced by (ST-5).
    package enum Stratum: String, Sendable, CaseIterable { case site, gender }
}

extension [TrialDesign.Stratum] {
    var column: String { map(\.rawValue).joined(separator: " ") }

    /// As they are stored.
    static func stored(_ column: String) -> [TrialDesign.Stratum] {
        column.split(separator: " ").compactMap { TrialDesign.Stratum(rawValue: String($0)) }
    }

    package var wire: [StudyDesign.Stratum] { map { StudyDesign.Stratum(kind: $0.rawValue) } }

    /// The list that a call sends; nil where it sends none.
    static func readList(_ fields: InputReader) -> [TrialDesign.Stratum]? {
        guard let list = fields.list("strata") else { return nil }
        let most = TrialDesign.Stratum.allCases.count
        let read = list.prefix(most + 1).enumerated().compactMap { index, json -> TrialDesign.Stratum? in
            guard case .object = json else {
                fields.refuse("strata.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "strata.\(index).")
            let kind: TrialDesign.Stratum? = inner.choice("kind", required: true)
            fields.adopt(inner)
            return kind
        }
        if Set(read).count < list.count, read.count == list.count { fields.refuse("strata", "errors.choice") }
        return read
    }

    /// From the portal's form.
    static func read(form fields: InputReader) -> [TrialDesign.Stratum] {
        TrialDesign.Stratum.allCases.filter { fields.bool("stratum_\($0.rawValue)") ?? false }
    }
}

/// The strata of a participant at the moment of allocation. What is not known of them is a level of its own, as any other.
package struct AllocationLevels: Sendable {
    /// The sequence of the site: its name, else the therapist, whose patients are a site of their own; empty for all without one.
    package let site: String
    /// Nil where it is not said.
    package let gender: Gender?

    package init(site: String, gender: Gender?) {
        self.site = site
        self.gender = gender == .notStated ? nil : gender
    }

    package func level(of stratum: TrialDesign.Stratum) -> String {
        switch stratum {
        case .site: site
        case .gender: "gender/" + (gender?.rawValue ?? "")
        }
    }

    /// The sequence of the site within these strata. Without any it is called as it was before there were strata.
    package func sequence(in strata: [TrialDesign.Stratum]) -> String {
        // Names of sites may hold anything, so they come last.
        strata.filter { $0 != .site }.map { level(of: $0) + "/" }.joined() + site
    }
}
