import HTTP
import Identity
import Therapies
import Web
import Wire
import Wording

/// Sharing own measurements with the therapist, with the consequences. None by default.
enum OwnSharingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, edit)
        routes.page(.post, path, .patient, update)
    }

    private static let path = "/my/settings/sharing"

    /// The kinds that can be shared: what most people measure first.
    private static let offered: [MeasurementSharing.Measure] =
        [.listening, .tinnitus]
        + MeasurementSharing.Measure.ordered.filter { $0 != .listening && $0 != .tinnitus }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let sharing = try c.read { try OwnSharingStore.find(of: c.proof.account.id, $0) }
        return .page(page(sharing, FormState(c.texts)))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let present = try c.read { try OwnSharingStore.find(of: c.proof.account.id, $0) }
        return try c.revise(orShow: { page(present, $0) }) { fields in
            var wanted = present
            for measure in offered {
                let isOn = fields.bool(measure.rawValue) ?? false
                let since = fields.date("since_\(measure.rawValue)")
                if isOn {
                    wanted.shared.updateValue(since, forKey: measure)
                } else {
                    wanted.shared[measure] = nil
                }
            }
            try fields.finish()
            if wanted != present { try OwnSharing.save(wanted, c) }
            return .seeOther(OwnSettingsPages.path, flash: Message("own_settings.saved"))
        }
    }

    private static func page(_ sharing: MeasurementSharing, _ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_sharing.title"], lead: filled.texts["own_sharing.lead"],
            points: (1...3).map { filled.texts["own_sharing.point_\($0)"] },
            parent: OwnSettingsPages.parent(filled.texts), action: path,
            fields: offered.flatMap { measure in
                let name = measure.rawValue
                let day = (sharing.shared[measure] ?? nil)?.text ?? ""
                let since = filled.field(
                    "since_\(name)", .date, label: "own_sharing.since_\(name)", first: day,
                    hint: "own_sharing.since_hint")
                return [
                    filled.box(
                        name, label: "own_sharing.\(name)", hint: "own_sharing.\(name)_hint",
                        isOn: sharing.shared[measure] != nil), since,
                ]
            }, submit: filled.texts["own_settings.save"], errors: filled.summary)
    }
}
