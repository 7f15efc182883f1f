import Accounts
import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// What patients are told about colleagues who may open their file, in every language.
package enum SharingNotices {
    /// - Parameter key: a sentence with `therapist`, `colleague`, `from` and `until`.
    package static func cover<P>(
        _ key: String, therapist: String, colleague: String, days: (from: LocalDate, until: LocalDate),
        _ c: Context<P>
    ) -> LocalizedText {
        let zone = Zone(c.services.timezone)
        return LocalizedText(
            translations: c.services.languages.map { language in
                let texts = c.services.texts(language)
                let dates = DateFormat(texts, zone, now: c.now)
                let values = [
                    "therapist": therapist, "colleague": colleague, "from": dates.day(days.from),
                    "until": dates.day(days.until),
                ]
                return (language.rawValue, texts[key, values])
            })
    }

    package static func member<P>(_ role: MemberRecord.Role, name: String, _ c: Context<P>) -> LocalizedText {
        switch role {
        case .therapist: c.services.sentence("sharing.notice_second_therapist", ["name": name])
        case .supervisor: c.services.sentence("sharing.notice_supervisor", ["name": name])
        }
    }

    package static func kind(_ role: MemberRecord.Role) -> NoticeRecord.Kind {
        role == .therapist ? .secondTherapist : .supervisor
    }

    /// Tells a newly paired patient about present and coming access to their file, which could not be told before.
    /// Belongs inside the write that pairs.
    package static func tell<P>(
        _ account: AccountRecord, pairedWith therapy: ID<Therapy>, _ c: Context<P>,
        _ connection: borrowing Connection
    ) throws {
        guard let therapist = try TherapyStore.find(therapy, connection)?.therapistID else { return }
        let key = try account.key(c.keys)
        let name = try TherapistStore.name(of: therapist, c.keys, connection)
        for cover in try SharingStore.covers(by: therapist, connection) where !cover.isOver(at: c.now) {
            guard try SharingStore.patients(of: cover, connection).contains(where: { $0.id == therapy })
            else { continue }
            let words = Self.cover(
                "covers.notice", therapist: name,
                colleague: try TherapistStore.name(of: cover.colleagueID, c.keys, connection),
                days: (cover.startsOn, cover.endsOn), c)
            let notice = try NewNotice(
                .cover, words, to: key, id: c.newID(), from: cover.startsAt, until: cover.endsAt)
            try NoticeStore.insert(notice, at: c.now, connection)
        }
        for member in try SharingStore.members(of: therapy, connection) {
            let words = Self.member(
                member.role, name: try TherapistStore.name(of: member.accountID, c.keys, connection), c)
            let notice = try NewNotice(kind(member.role), words, to: key, id: c.newID(), from: c.now)
            try NoticeStore.insert(notice, at: c.now, connection)
        }
    }
}
