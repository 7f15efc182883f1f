import Records
import Web
import Wire
import Wording

/// An absence as sent. Made only by reading, or beside a cover of the same days.
package struct AbsenceDraft: Sendable {
    package let from: LocalDate
    package let until: LocalDate
    package let cover: ID<CoverRecord>?
    package let isWithoutCover: Bool

    static let longestDays: Int64 = 366
    static let farthestDays: Int64 = 730

    /// The days of a cover that was read with the same limits.
    package init(from: LocalDate, until: LocalDate, cover: ID<CoverRecord>?, isWithoutCover: Bool = false) {
        self.from = from
        self.until = until
        self.cover = cover
        self.isWithoutCover = isWithoutCover
    }

    /// - Parameter present: a stored one that is changed: what is not sent stays.
    /// - Throws: `Problem.invalid`: ends before it starts, over already, longer than a year, too far ahead, with and
    ///   without cover at once.
    package static func read(
        _ fields: InputReader, over present: AbsenceRecord? = nil, today: LocalDate
    ) throws(Problem) -> AbsenceDraft {
        let from = fields.date("from", required: present == nil) ?? present?.startsOn
        let until = fields.date("until", required: present == nil) ?? present?.endsOn
        var cover = present?.coverID
        if fields.has("cover_id") {
            cover = nil
            if let text = fields.text("cover_id", limit: 36) {
                cover = ID<CoverRecord>(uuid: text)
                if cover == nil { fields.refuse("cover_id", "errors.id") }
            }
        }
        let chosen = fields.bool("without_cover")
        // A cover that is named now says that it is not without.
        let isWithout = chosen ?? (cover == nil && present?.isWithoutCover == true)
        if isWithout && fields.has("cover_id") && cover != nil {
            fields.refuse("without_cover", "absences.with_and_without")
        }
        check(fields, from: from, until: until, today: today)
        try fields.finish()
        guard let from, let until else { throw .invalid(fields.errors) }
        return AbsenceDraft(
            from: from, until: until, cover: isWithout ? nil : cover, isWithoutCover: isWithout)
    }

    /// From the form, whose list of colleagues says whether it was chosen to be without cover.
    /// - Throws: `Problem.invalid`.
    package static func read(
        form fields: InputReader, isWithoutCover: Bool, today: LocalDate
    ) throws(Problem) -> AbsenceDraft {
        let from = fields.date("from", required: true)
        let until = fields.date("until", required: true)
        check(fields, from: from, until: until, today: today)
        try fields.finish()
        guard let from, let until else { throw .invalid(fields.errors) }
        return AbsenceDraft(from: from, until: until, cover: nil, isWithoutCover: isWithoutCover)
    }

    /// The limits of the days of absences and covers.
    private static func check(
        _ fields: InputReader, from: LocalDate?, until: LocalDate?, today: LocalDate
    ) {
        guard let from, let until else { return }
        if until < from { fields.refuse("until", "errors.ends_before_start") }
        if until < today { fields.refuse("until", "covers.over") }
        let isFar =
            until.daysSince1970 - from.daysSince1970 >= longestDays
            || from.daysSince1970 - today.daysSince1970 > farthestDays
        if isFar { fields.refuse("until", "covers.long") }
    }
}

extension AuditAction {
    package static let absenceMade = AuditAction(name: "absence.made")
    package static let absenceChanged = AuditAction(name: "absence.changed")
    package static let absenceRemoved = AuditAction(name: "absence.removed")
    package static let absenceSessionsCalledOff = AuditAction(name: "absence.sessions_called_off")
    package static let absenceSessionsReturned = AuditAction(name: "absence.sessions_returned")
}
