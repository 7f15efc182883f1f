import Database
import Records
import Web
import Wire
import Wording

/// What was agreed to one by one under each consent to a text: as it stood until the next text was agreed to, the newest as it stands now.
package struct AgreedItems: Sendable {
    private let enrolments: [ID<Enrolment>: EnrolmentRecord]
    private let choices: [ID<Enrolment>: [ItemChoice]]
    private let agreed: [ID<Enrolment>: [AgreedConsent]]
    private let asked: Set<ItemChoice.Kind>

    /// Of some consents of one study.
    package init(
        _ agreed: [AgreedConsent], in study: StudyRecord, _ connection: borrowing Connection
    ) throws {
        self.agreed = Dictionary(grouping: agreed, by: \.enrolment)
        var enrolments: [ID<Enrolment>: EnrolmentRecord] = [:]
        var choices: [ID<Enrolment>: [ItemChoice]] = [:]
        // A whole log is read at once.
        if self.agreed.count > 2 {
            choices = try ItemChoiceStore.all(in: study.id, connection)
            for enrolment in try EnrolmentStore.all(in: study.id, connection) {
                enrolments[enrolment.id] = enrolment
            }
        } else {
            for id in self.agreed.keys {
                choices[id] = try ItemChoiceStore.all(of: id, connection)
                enrolments[id] = try EnrolmentStore.find(id: id, connection)
            }
        }
        self.enrolments = enrolments
        self.choices = choices
        asked = try Self.asked(by: study, connection)
    }

    /// What a study asks for one by one.
    static func asked(by study: StudyRecord, _ connection: borrowing Connection) throws -> Set<
        ItemChoice.Kind
    > {
        var asked = Set(study.measurements.map(ItemChoice.Kind.measure))
        if try StudyLocationStore.isAsked(in: study.id, connection) { asked.insert(.location) }
        return asked
    }

    package func of(_ consent: AgreedConsent) -> [ItemChoice] {
        let own = choices[consent.enrolment] ?? []
        let next = agreed[consent.enrolment]?.filter { $0.version > consent.version }.map(\.agreedAt).min()
        guard let next else { return enrolments[consent.enrolment]?.items(own, asked: asked) ?? [] }
        return ItemChoice.Kind.all.compactMap { kind in
            own.last { $0.kind == kind && ($0.at ?? .distantPast) < next }
        }
    }

    package func wire(_ consent: AgreedConsent) -> ConsentItems {
        let choices = of(consent).map {
            ($0.kind.name, ConsentItems.Choice(agreed: $0.isGiven, at: $0.at))
        }
        return ConsentItems(Dictionary(choices) { $1 })
    }

    /// What is agreed to one by one, with its days, in one line; nil without any.
    package func words(_ consent: AgreedConsent, _ dates: DateFormat, _ texts: Texts) -> String? {
        let given = of(consent).filter(\.isGiven).map { choice in
            let kind = texts[choice.kind.key]
            let name = choice.isByResearch ? "\(kind), \(texts["consent_paper.by_research"])" : kind
            return choice.at.map { "\(name) (\(dates.day($0)))" } ?? name
        }
        return given.isEmpty ? nil : given.joined(separator: ", ")
    }
}
