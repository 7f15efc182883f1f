import HTTP
import Identity
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// A newer consent text beside the one agreed to, with a yes or a no, and all own consents in a study (FD-22, ST-6).
package enum OwnConsentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/consent", .patient, read)
        routes.page(.post, "/my/studies/:study/consent", .patient, agree)
        routes.page(.post, "/my/studies/:study/consent/refusal", .patient, refuse)
        routes.page(.get, "/my/studies/:study/consents", .patient, list)
    }

    private static func path(_ study: ID<Study>) -> String { "\(OwnStudiesPages.path)/\(study)/consent" }

    /// A no to the newer text, which ends the participation.
    struct Ending: Encodable, Sendable {
        let action: String
        let text: String
        /// What becomes of the answers; nil for a request, which has none.
        let data: FieldView?
        let submit: String
        /// Whether it is open, after an error.
        let isOpen: Bool
    }

    package struct Read: Page {
        package static let template = "my/consent"
        package static let section: NavigationItem? = .more

        let lead: String
        let parent: PageLink
        /// The version in force until then, and since when.
        let before: String
        let old: [TextChange.Piece]
        let after: String
        let new: [TextChange.Piece]
        /// Of the text shown.
        let version: String
        let action: String
        let consent: FieldView
        let ending: Ending
        var errors: ErrorSummary?

        package static let example = Read(
            lead: "„Stress im Alltag“ hat einen neuen Einwilligungstext.",
            parent: PageLink(label: "Studien", path: "/my/studies", isCurrent: false),
            before: "Version 1, zugestimmt am 20.11.2026",
            old: [
                .init(text: "Ich nehme ", isMarked: false), .init(text: "freiwillig ", isMarked: true),
                .init(text: "teil.", isMarked: false),
            ],
            after: "Version 2, vom 22.11.2026",
            new: [.init(text: "Ich nehme ", isMarked: false), .init(text: "teil.", isMarked: true)],
            version: "2", action: "/my/studies/x/consent",
            consent: FieldView(name: "consent_accepted", label: "Ich stimme zu.", isCheck: true),
            ending: Ending(
                action: "/my/studies/x/consent/refusal", text: "Dann endet Ihre Teilnahme.",
                data: FieldView(name: "data", label: "Ihre Antworten", isSelect: true),
                submit: "Nicht zustimmen und Studie verlassen", isOpen: true), errors: nil)
    }

    package struct Agreed: Page {
        package static let template = "my/consents"
        package static let section: NavigationItem? = .more

        struct Entry: Encodable, Sendable {
            let version: String
            let facts: String
            let text: String?
            /// What is agreed to one by one; nil without any.
            let items: String?
        }
        let parent: PageLink
        let study: String
        let entries: [Entry]
        /// The address of what is printed.
        let paper: String
        /// Of having left; nil before, and for those who left before there were receipts.
        let receipt: String?
    }

    @Sendable static func read(_ c: Context<Member>) throws -> Reply {
        let (study, own) = try LeavingPages.found(c)
        guard own.consentVersion < study.consentVersion, own.state == .enrolled || own.state == .pending
        else { return .seeOther(OwnStudiesPages.path) }
        return .page(try page(study, own, FormState(c.texts), c))
    }

    @Sendable static func agree(_ c: Context<Member>) throws -> Reply {
        if let left = try leftMeanwhile(c) { return left }
        let (study, own) = try LeavingPages.found(c)
        // Yet another text: it is read before it is agreed to.
        let stale = { (_: FormState) in
            let (present, own) = try LeavingPages.found(c)
            return try page(present, own, FormState(c.texts), c)
        }
        return try c.submit(orShow: { try page(study, own, $0, c) }, stale: stale) { fields in
            let version = fields.whole("version", 1...1_000_000, first: 0) ?? 0
            if fields.bool("consent_accepted") != true {
                fields.refuse("consent_accepted", "own_studies.consent_needed")
            }
            try fields.finish()
            do {
                try Enrolling.agreeAnew(study, to: version, by: .browser, c)
            } catch Problem.notFound {
                // Left on another device in this moment.
                return try leftMeanwhile(c) ?? { throw Problem.notFound }()
            }
            return .seeOther(OwnStudiesPages.path, flash: Message("own_studies.agreed"))
        }
    }

    /// The texts of a participation that has ended; nil while it goes on, and where there was none.
    private static func leftMeanwhile(_ c: Context<Member>) throws -> Reply? {
        let id: ID<Study> = try c.id("study")
        let own = try c.read { try EnrolmentStore.find(in: id, of: c.proof.account.id, $0) }
        guard own?.state == .left else { return nil }
        return .seeOther(path(id) + "s", flash: Message("own_studies.left_meanwhile"))
    }

    /// Sent once more it leads to the same receipt.
    @Sendable static func refuse(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        let found = try c.read { connection in
            (
                try StudyStore.find(id, connection),
                try EnrolmentStore.find(in: id, of: c.proof.account.id, connection)
            )
        }
        guard let study = found.0, let own = found.1 else { throw Problem.notFound }
        let stale = { (_: FormState) in
            let (present, own) = try LeavingPages.found(c)
            return try page(present, own, FormState(c.texts), c)
        }
        return try c.submit(orShow: { try page(study, own, $0, c) }, stale: stale) { fields in
            let version = fields.whole("version", 1...1_000_000, first: 0) ?? 0
            let choice = fields.choice("data", from: Enrolment.dataChoices, required: own.state == .enrolled)
            try fields.finish()
            let receipt: ReceiptNumber?
            do {
                receipt = try Enrolling.refuse(study, version: version, isRemoving: choice == "remove", c)
            } catch Problem.conflict(let message, _) {
                return .seeOther(OwnStudiesPages.path, flash: message)
            }
            let key = choice == "remove" ? "own_studies.left_removed" : "own_studies.left"
            return .seeOther(
                receipt == nil ? OwnStudiesPages.path : ReceiptPages.path(id), flash: Message(key))
        }
    }

    private static func ending(
        of own: EnrolmentRecord, in study: StudyRecord, _ filled: FormState, _ c: Context<Member>
    ) -> Ending {
        let isIn = own.state == .enrolled
        let data = filled.list(
            "data", label: "own_studies.data", hint: "own_studies.data_hint", required: true,
            none: "own_studies.data_choose",
            Enrolment.dataChoices.map { ($0, c.texts["own_studies.data_\($0)"]) })
        return Ending(
            action: path(study.id) + "/refusal",
            text: c.texts[isIn ? "own_studies.refuse_text" : "own_studies.refuse_text_pending"],
            data: isIn ? data : nil,
            submit: c.texts[isIn ? "own_studies.refuse_submit" : "own_studies.refuse_submit_pending"],
            isOpen: filled.form["data"] != nil)
    }

    private static func page(
        _ study: StudyRecord, _ own: EnrolmentRecord, _ filled: FormState, _ c: Context<Member>
    ) throws -> Read {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let (before, written) = try c.read { connection in
            (
                try AgreedConsentStore.text(own.consentVersion, of: study.id, connection),
                try AgreedConsentStore.written(study.consentVersion, of: study.id, connection)
            )
        }
        let change = TextChange(
            from: before?.text(in: c.languages) ?? "", to: study.consent.text(in: c.languages) ?? "")
        let title = study.title.text(in: c.languages) ?? study.name
        let day = { (key: String, version: Int, at: Instant) in
            c.texts[key, ["n": String(version), "day": dates.day(at)]]
        }
        return Read(
            lead: c.texts["own_studies.consent_lead", ["study": title]],
            parent: OwnStudiesPages.parent(c.texts),
            before: day("own_studies.consent_before", own.consentVersion, own.consentedAt),
            old: change.before,
            after: day("own_studies.consent_after", study.consentVersion, written ?? c.now),
            new: change.after, version: String(study.consentVersion),
            action: path(study.id),
            consent: filled.box("consent_accepted", label: "own_studies.consent", isOn: false),
            ending: ending(of: own, in: study, filled, c), errors: filled.summary)
    }

    /// Also after leaving: consents given stay readable.
    @Sendable static func list(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        let key = try c.proof.account.key(c.keys)
        let (study, agreed, items, receipt) = try c.read { connection in
            let study = try StudyStore.find(id, connection)
            let agreed = try AgreedConsentStore.all(of: c.proof.account.id, in: id, connection)
            return (
                study, agreed, try study.map { try AgreedItems(agreed, in: $0, connection) },
                try ReceiptStore.numbers(in: id, of: c.proof.account.id, key, connection).first
            )
        }
        guard let study, !agreed.isEmpty else { throw Problem.notFound }
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        return .page(
            Agreed(
                parent: OwnStudiesPages.parent(c.texts),
                study: study.title.text(in: c.languages) ?? study.name,
                entries: agreed.map { consent in
                    Agreed.Entry(
                        version: c.texts["studies.consent_version", ["n": String(consent.version)]],
                        facts: c.texts[
                            "own_studies.consent_facts",
                            [
                                "when": dates.dayAndTime(consent.agreedAt), "way": consent.words(c.texts),
                                "codename": consent.codename,
                            ]], text: consent.text?.text(in: c.languages),
                        items: items?.words(consent, dates, c.texts).map {
                            c.texts["own_studies.consent_items", ["names": $0]]
                        })
                }, paper: OwnConsentPaperPages.path(id), receipt: receipt.map { _ in ReceiptPages.path(id) }))
    }
}
