import Database
import Identity
import Records
import Web
import Wire
import Wording

/// Joining and leaving a study (TYS-1, TYS-2), for pages and calls alike.
package struct Enrolling: Sendable {
    private let password: String?
    /// An invitation, or the code of the study itself.
    private let code: String?
    private let measures: [StudyMeasures.Measure]
    private let way: AgreedConsent.Way
    private let location: StudyLocation.Choice?
    /// The version of the consent text that was shown; nil where it was not told.
    private let consentVersion: Int?

    /// Whether a refusal is for another consent text than the one that was shown.
    package static func isConsentChange(_ problem: Problem) -> Bool {
        problem.message.key == "studies.consent_changed"
    }

    /// - Parameters:
    ///   - study: the measurements it asks for may be given to it, by choice.
    ///   - way: how its consent text is agreed to.
    ///   - asksLocation: whether the page asks for the position; older apps send nothing about it.
    /// - Throws: `Problem.invalid` without consent, `.conflict` for one to another text.
    package init(
        _ fields: InputReader, code: String?, study: StudyRecord, by way: AgreedConsent.Way,
        asksLocation: Bool = false
    ) throws {
        self.code = code
        self.way = way
        let asked = study.measurements
        // A list over the API, boxes in a form.
        measures = StudyMeasures.read(fields, from: asked) ?? StudyMeasures.ticked(fields, from: asked)
        location = StudyLocation.read(fields, required: asksLocation)
        if fields.bool("consent_accepted") != true {
            fields.refuse("consent_accepted", "studies.consent_required")
        }
        consentVersion = fields.consentVersion("consent_version")
        password = fields.secret("password", required: false)
        if let consentVersion { try Self.require(consentVersion, of: study) }
        try fields.finish()
    }

    /// - Returns: whether it is only a request so far.
    @discardableResult
    package func enrol(in study: StudyRecord, _ c: Context<Member>) throws -> Bool {
        let account = c.proof.account
        try Self.requireRunning(study, at: c.now)
        // Participants who are invited or vouched for need neither password nor approval.
        let invitation = try code.flatMap { try Invitations.find($0, in: study.id, c) }
        let isVouchedFor = try c.read { try OfferStore.isVouchedFor(account.id, in: study.id, $0) }
        let isInvited = invitation != nil || isVouchedFor
        if !isInvited { try checkPassword(study, account, c) }
        let isPending = study.access == .request && !isInvited
        // Codenames are random: a taken one is drawn again.
        for _ in 0..<20 {
            let codename = "S" + c.services.chance.digits(6)
            if try insert(codename, isPending: isPending, invitation, study.id, c) {
                c.services.spread(.studiesChanged(account.id))
                return isPending
            }
        }
        throw Problem.unavailable(retryAfter: 1)
    }

    private static func require(_ version: Int, of study: StudyRecord) throws(Problem) {
        if version != study.consentVersion { throw .conflict(Message("studies.consent_changed")) }
    }

    private static func requireRunning(_ study: StudyRecord, at now: Instant) throws {
        if study.hasEnded(at: now) { throw Problem.conflict(Message("studies.ended")) }
        if !study.isRunning(at: now) { throw Problem.conflict(Message("studies.not_running")) }
    }

    /// - Returns: false when the codename is taken.
    private func insert(
        _ codename: String, isPending: Bool, _ invitation: [UInt8]?, _ study: ID<Study>, _ c: Context<Member>
    ) throws -> Bool {
        let account = c.proof.account
        return try c.write(.enrolmentAsked, about: account.id, object: study) {
            [now = c.now, id = c.newID() as ID<Enrolment>, dates = c.dates, services = c.services] connection
            in
            // At present, not when the password was checked.
            guard let study = try StudyStore.find(study, connection) else { throw Problem.notFound }
            try Self.requireRunning(study, at: now)
            if let consentVersion { try Self.require(consentVersion, of: study) }
            // Or another kind of access has been chosen since.
            if isPending, study.access != .request { throw Problem.preconditionFailed }
            let existing = try EnrolmentStore.find(in: study.id, of: account.id, connection)
            if let existing, existing.state == .enrolled || existing.state == .pending {
                throw Problem.conflict(Message("studies.enrolled_already"))
            }
            let isIn = try EnrolmentStore.insert(
                id: id, in: study.id, account: account.id, codename: codename, isPending: isPending,
                consent: study.consentVersion, way: way, isTold: consentVersion != nil,
                timezone: account.timezone, at: now, connection)
            guard isIn else { return false }
            let given = study.measurements.filter(measures.contains)
            if !given.isEmpty {
                try StudyMeasureStore.set(given, of: id, asked: study.measurements, at: now, connection)
            }
            if let location, try StudyLocationStore.isAsked(in: study.id, connection) {
                try StudyLocationStore.set(location, of: id, account.id, at: now, connection)
            }
            if isPending { try Self.ask(account.id, in: study.id, dates, at: now, connection) }
            if let invitation { try InvitationStore.spend(invitation, at: now, connection) }
            if !isPending {
                try ArmAllocation.allocate(id, of: account.id, in: study.id, at: now, connection)
                try services.participates(account.id, at: now, connection)
            }
            return true
        }
    }

    /// - Throws: `Problem.conflict` after too many requests.
    private static func ask(
        _ account: ID<Account>, in study: ID<Study>, _ dates: DateFormat, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let earlier = try EnrolmentStore.requests(of: account, in: study, connection)
        let most = EnrolmentStore.Request.most
        if earlier.count >= most {
            throw Problem.conflict(Message("studies.asked_often", ["n": String(most)]))
        }
        if let next = earlier.first?.adding(days: EnrolmentStore.Request.daysApart), now < next {
            throw Problem.conflict(Message("studies.asked_lately", ["day": dates.day(next)]))
        }
        try EnrolmentStore.noteRequest(of: account, in: study, at: now, connection)
    }

    private static let wrongPasswords = 10

    /// - Throws: 403 when it is wrong; 429 after ten wrong ones in a quarter of an hour.
    private func checkPassword(
        _ study: StudyRecord, _ account: AccountRecord, _ c: Context<Member>
    ) throws {
        guard study.access == .password, let hash = study.passwordHash else { return }
        let key = "study \(study.id) \(account.id)"
        try c.services.limiter.count(key, limit: Self.wrongPasswords, seconds: 900, now: c.now)
        let isRight = try password.map { try c.services.gate.verify($0, against: hash) } ?? false
        if !isRight { throw Problem.forbidden(Message("studies.wrong_password")) }
    }

    /// A participant's consent to the present text.
    /// - Parameter version: the one that was read; a newer one must be read first.
    package static func agreeAnew(
        _ study: StudyRecord, to version: Int, by way: AgreedConsent.Way, _ c: Context<Member>
    ) throws {
        let account = c.proof.account.id
        try c.write(.consentRenewed, about: account, object: study.id) { [now = c.now] connection in
            guard let present = try StudyStore.find(study.id, connection),
                let enrolment = try EnrolmentStore.find(in: study.id, of: account, connection),
                enrolment.state == .enrolled || enrolment.state == .pending
            else { throw Problem.notFound }
            guard present.consentVersion == version else { throw Problem.preconditionFailed }
            // Repeating it keeps the time of the consent.
            if enrolment.consentVersion == version { return }
            try EnrolmentStore.agree(enrolment.id, to: version, way, at: now, connection)
            try TherapyDates.follow(account, at: now, connection)
            try StudyNotices.settle(account, at: now, connection)
        }
    }
}
