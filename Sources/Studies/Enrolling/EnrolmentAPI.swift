import Database
import HTTP
import Identity
import Instruments
import Records
import Web
import Wire
import Wording

/// Studies for those who take part: finding, enrolling, leaving, and what is to be answered (TYS-1 to TYS-3).
enum EnrolmentAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/studies/:study/enrolment", .patient,
            .one(
                "Take part in a study, or ask to (202)", Enrolment.self, status: 201, takes: Enrolment.sent),
            create)
        routes.call(
            .get, "/studies/:study/enrolment", .patient,
            .one("The own codename in a study, and how a request stands", Enrolment.self)
                .revised(EnrolmentStore.revision), show)
        routes.call(
            .delete, "/studies/:study/enrolment", .patient,
            .nothing("Leave a study; with data=remove the answers go too").revised(EnrolmentStore.revision),
            destroy)
        routes.call(.get, "/my/studies", .patient, .many("The own studies", Study.self), studies)
        routes.call(
            .get, "/my/questionnaires", .patient,
            .many("The questionnaires of the own studies, baseline first", StudyQuestionnaire.self),
            questionnaires)
    }

    /// The study in the path. A hidden one opens to its code, an invitation, the offer of one's therapist and to who has
    /// taken part, never to its id alone; one in the archive is there for those alone who took part.
    private static func study(_ c: Context<Member>, code: String? = nil) throws -> StudyRecord {
        let id: ID<Study> = try c.id("study")
        let account = c.proof.account.id
        let (study, enrolment, offered) = try c.read { connection in
            (
                try StudyStore.find(id, connection),
                try EnrolmentStore.find(in: id, of: account, connection),
                try OfferStore.study(for: account, connection)
            )
        }
        guard let study, study.archivedAt == nil || enrolment != nil else { throw Problem.notFound }
        if study.isHidden, enrolment == nil, offered != id {
            guard let code else { throw Problem.notFound }
            do {
                _ = try Invitations.find(code, in: id, c)
            } catch Problem.invalid {
                // The same as for an id that there is not.
                throw Problem.notFound
            }
        }
        return study
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        let account = c.proof.account.id
        guard let found = try c.read({ try wire(of: account, in: id, $0) }) else { throw Problem.notFound }
        return try .data(found)
    }

    private static func wire(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> One<Enrolment>? {
        try EnrolmentStore.find(in: study, of: account, connection).map { enrolment in
            One(
                id: enrolment.id,
                enrolment.wire(try EnrolmentStore.requests(of: account, in: study, connection)))
        }
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let account = c.proof.account
        let code = fields.text("code", limit: 40)
        let study = try study(c, code: code)
        let accepted = fields.bool("consent_accepted")
        if accepted != true { fields.refuse("consent_accepted", "studies.consent_required") }
        let password = fields.secret("password", required: false)
        try fields.finish()
        guard study.isRunning(at: c.now) else { throw Problem.conflict(Message("studies.not_running")) }
        // Who was invited or is vouched for needs neither password nor leave.
        let invitation = try code.flatMap { try Invitations.find($0, in: study.id, c) }
        let isVouchedFor = try c.read { try OfferStore.isVouchedFor(account.id, in: study.id, $0) }
        let isInvited = invitation != nil || isVouchedFor
        if !isInvited { try checkPassword(password, study, account, c) }
        let isPending = study.access == .request && !isInvited
        var enrolment: EnrolmentRecord?
        // Codenames are random: one that is taken is drawn again.
        for _ in 0..<20 where enrolment == nil {
            let codename = "S" + c.services.chance.digits(6)
            enrolment = try c.write(.enrolmentAsked, about: account.id, object: study.id) {
                [now = c.now, id = c.newID() as ID<Enrolment>, dates = c.dates] connection in
                // As it is now, not as it was when the password was looked at.
                guard let study = try StudyStore.find(study.id, connection), study.isRunning(at: now) else {
                    throw Problem.conflict(Message("studies.not_running"))
                }
                let existing = try EnrolmentStore.find(in: study.id, of: account.id, connection)
                if let existing, existing.state == .enrolled || existing.state == .pending {
                    throw Problem.conflict(Message("studies.enrolled_already"))
                }
                let isIn = try EnrolmentStore.insert(
                    id: id, in: study.id, account: account.id, codename: codename, isPending: isPending,
                    consent: study.consentVersion, timezone: account.timezone, at: now, connection)
                if isIn, isPending { try ask(account.id, in: study.id, dates, at: now, connection) }
                if isIn, let invitation { try InvitationStore.spend(invitation, at: now, connection) }
                if isIn, !isPending {
                    try ArmAllocation.allocate(id, of: account.id, in: study.id, connection)
                }
                return isIn ? try EnrolmentStore.find(in: study.id, of: account.id, connection) : nil
            }
        }
        guard enrolment != nil, let made = try c.read({ try wire(of: account.id, in: study.id, $0) }) else {
            throw Problem.unavailable(retryAfter: 1)
        }
        return try .data(made, status: isPending ? 202 : 201)
    }

    /// - Throws: `Problem.conflict` for who asks too often.
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
    private static func checkPassword(
        _ password: String?, _ study: StudyRecord, _ account: AccountRecord, _ c: Context<Member>
    ) throws {
        guard study.access == .password, let hash = study.passwordHash else { return }
        let key = "study \(study.id) \(account.id)"
        try c.services.limiter.count(key, limit: wrongPasswords, seconds: 900, now: c.now)
        let isRight = try password.map { try c.services.gate.verify($0, against: hash) } ?? false
        if !isRight { throw Problem.forbidden(Message("studies.wrong_password")) }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let study = try study(c)
        let account = c.proof.account.id
        let fields = InputReader(form: c.request.query)
        let isRemoving = fields.choice("data", from: ["keep", "remove"]) == "remove"
        try fields.finish()
        try c.write(.enrolmentLeft, about: account, object: study.id) {
            [now = c.now, features = c.services.features] connection in
            guard let enrolment = try EnrolmentStore.find(in: study.id, of: account, connection) else {
                throw Problem.notFound
            }
            try LeavingStore.leave(enrolment, at: now, connection)
            guard isRemoving else { return }
            for feature in features { try feature.eraseAnswers(account, study.id, connection) }
            try LeavingStore.eraseAnswers(of: account, in: study.id, at: now, connection)
        }
        return .response(.noContent)
    }

    @Sendable static func studies(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let all = try c.read { try StudyStore.all(ofParticipant: account, declined: true, $0) }
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
        let items = try c.read { connection in
            try part.map { study in
                let own = try EnrolmentStore.find(in: study.id, of: account, connection)
                return Item(id: study.id, study.wire(c.languages, own, lead: nil, now: c.now))
            }
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func questionnaires(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let all = try c.read { connection -> [Item<StudyQuestionnaire>] in
            var answered: [ID<Study>: Set<String>] = [:]
            for enrolment in try EnrolmentStore.all(of: account, connection)
            where enrolment.state == .enrolled {
                answered[enrolment.studyID] = Set(
                    try StudyContributionStore.firsts(of: enrolment, connection).keys)
            }
            return try StudyItemStore.all(of: account, connection).map { item in
                let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
                var wire = item.wire(record, c.languages)
                wire.isFilledOut = answered[item.studyID]?.contains(item.key) ?? false
                return Item(id: item.id, wire)
            }
        }
        return try .data(paging.part(of: all))
    }
}
