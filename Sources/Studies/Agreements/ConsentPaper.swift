import Database
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// What was agreed to in one participation, as a page that is printed and signed (ST-6): by codename, for its participant and for leads.
package struct ConsentPaper: Encodable, Sendable {
    struct Text: Encodable, Sendable {
        let version: String
        let facts: String
        let text: String?
    }
    struct Item: Encodable, Sendable {
        let name: String
        let answer: String
        let since: String
    }

    package let study: String
    package let codename: String
    let facts: [Fact]
    /// The texts that were agreed to, the newest first.
    let texts: [Text]
    /// What is asked one by one, as it stands now.
    let items: [Item]
    let hasItems: Bool

    /// - Parameters:
    ///   - receipt: the number of having left, for its owner alone.
    ///   - dates: in the reader's zone.
    /// - Returns: nil where nothing was agreed to.
    package static func make<P>(
        _ enrolment: EnrolmentRecord, in study: StudyRecord, receipt: ReceiptNumber?, dates: DateFormat,
        _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> ConsentPaper? {
        let agreed = try AgreedConsentStore.all(of: enrolment.accountID, in: study.id, connection)
            .filter { $0.enrolment == enrolment.id }
        if agreed.isEmpty { return nil }
        let choices = try ItemChoiceStore.all(of: enrolment.id, connection)
        let asked = try AgreedItems.asked(by: study, connection)
        let items = enrolment.items(choices, asked: asked).map { choice in
            Item(
                name: c.texts[choice.kind.key],
                answer: choice.isByResearch
                    ? c.texts["consent_paper.given_by_research"]
                    : c.texts[choice.isGiven ? "consent_paper.given" : "consent_paper.not_given"],
                since: choice.at.map(dates.dayAndTime) ?? "–")
        }
        return ConsentPaper(
            study: study.title.text(in: c.languages) ?? study.name, codename: enrolment.codename,
            facts: facts(enrolment, receipt: receipt, dates: dates, c),
            texts: agreed.map { consent in
                // Of a signature on paper the day is known.
                let when =
                    consent.way == .paper
                    ? enrolment.signedOn.map(dates.day) ?? dates.day(consent.agreedAt)
                    : dates.dayAndTime(consent.agreedAt)
                return Text(
                    version: c.texts["studies.consent_version", ["n": String(consent.version)]],
                    facts: c.texts[
                        "consent_paper.agreed", ["when": when, "way": consent.words(c.texts)]],
                    text: consent.text?.text(in: c.languages))
            }, items: items, hasItems: !items.isEmpty)
    }

    private static func facts<P>(
        _ enrolment: EnrolmentRecord, receipt: ReceiptNumber?, dates: DateFormat, _ c: Context<P>
    ) -> [Fact] {
        let texts = c.texts
        var facts = [Fact(label: texts["studies.codename"], value: enrolment.codename)]
        if let day = enrolment.enrolledAt {
            facts.append(Fact(label: texts["consent_paper.since"], value: dates.day(day)))
        } else {
            facts.append(Fact(label: texts["consent_paper.asked"], value: dates.day(enrolment.askedAt)))
        }
        if let day = enrolment.leftAt {
            facts.append(Fact(label: texts["consent_paper.ended"], value: dates.day(day)))
        }
        if let receipt {
            facts.append(Fact(label: texts["consent_paper.receipt"], value: receipt.shown))
        }
        facts.append(Fact(label: texts["consent_paper.made"], value: dates.dayAndTime(c.now)))
        return facts
    }
}
