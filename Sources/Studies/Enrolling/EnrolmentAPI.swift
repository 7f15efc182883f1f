import Database
import HTTP
import Identity
import Instruments
import Records
import Web
import Wire
import Wording

/// Studies for participants: finding, enrolling, leaving, and answering (TYS-1 to TYS-3).
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
            .nothing(
                "Leave a study; with data=remove the answers go too. The header Receipt proves it; Prefer: return=representation answers it"
            ).revised(EnrolmentStore.revision), destroy)
        routes.call(
            .post, "/studies/:study/enrolment/consent", .patient,
            .one("Agree to the consent text that a study has now", Enrolment.self, takes: Enrolment.agreed),
            agree)
        routes.call(
            .put, "/studies/:study/enrolment/measurements", .patient,
            .one(
                "Which own measurements go to a study that asks for them", Enrolment.self,
                takes: Enrolment.chosen
            )
            .revised(EnrolmentStore.revision), choose)
        routes.call(
            .put, "/studies/:study/enrolment/location", .patient,
            .one(
                "Whether a study gets the position with its questionnaires", Enrolment.self,
                takes: Enrolment.located
            )
            .revised(EnrolmentStore.revision), locate)
        routes.call(.get, "/my/studies", .patient, .many("The own studies", Study.self), studies)
        routes.call(
            .get, "/my/questionnaires", .patient,
            .many("The questionnaires of the own studies, baseline first", StudyQuestionnaire.self),
            questionnaires)
    }

    /// The study in the path. A hidden one opens with its code, an invitation, a therapist's offer and to former
    /// participants, never by its id alone; an archived one only to its participants.
    static func study(_ c: Context<Member>, code: String? = nil) throws -> StudyRecord {
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
                // The same as for an unknown id.
                throw Problem.notFound
            }
        }
        return study
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        guard let found = try c.read({ try wire(in: id, c, $0) }) else { throw Problem.notFound }
        return try .data(found)
    }

    private static func wire(
        in study: ID<Study>, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> One<Enrolment>? {
        let account = c.proof.account.id
        guard let enrolment = try EnrolmentStore.find(in: study, of: account, connection),
            let newest = try StudyStore.find(study, connection)?.consentVersion
        else { return nil }
        let requests = try EnrolmentStore.requests(of: account, in: study, connection)
        var wire = enrolment.wire(requests, consent: newest)
        if enrolment.state == .left {
            let key = try c.proof.account.key(c.keys)
            wire.receipt = try ReceiptStore.number(of: enrolment.id, key, connection)?.text
        }
        return One(id: enrolment.id, wire)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let code = fields.text("code", limit: 40)
        let study = try study(c, code: code)
        let isPending = try showingChange(of: study, c) {
            try Enrolling(fields, code: code, study: study, by: .app).enrol(in: study, c)
        }
        guard let made = try c.read({ try wire(in: study.id, c, $0) }) else {
            throw Problem.unavailable(retryAfter: 1)
        }
        return try .data(made, status: isPending ? 202 : 201)
    }

    /// A participant's consent to a newer text. Repeating it changes nothing.
    @Sendable static func agree(_ c: Context<Member>) throws -> Reply {
        let study = try study(c)
        let fields = try c.body()
        if fields.bool("consent_accepted") != true {
            fields.refuse("consent_accepted", "studies.consent_required")
        }
        let version = fields.whole("consent_version", 1...1_000_000, first: 0) ?? 0
        if version == 0, fields.value("consent_version") == nil {
            fields.refuse("consent_version", "errors.required")
        }
        try fields.finish()
        try showingChange(of: study, c) {
            do {
                try Enrolling.agreeAnew(study, to: version, by: .app, c)
            } catch Problem.preconditionFailed {
                throw Problem.conflict(Message("studies.consent_changed"))
            }
        }
        return try show(c)
    }

    /// Answers an agreement to an older text with the present one.
    static func showingChange<R>(
        of study: StudyRecord, _ c: Context<Member>, _ work: () throws -> R
    ) throws -> R {
        do {
            return try work()
        } catch let problem as Problem where Enrolling.isConsentChange(problem) {
            let (present, own) = try c.read { connection in
                (
                    try StudyStore.find(study.id, connection) ?? study,
                    try EnrolmentStore.find(in: study.id, of: c.proof.account.id, connection)
                )
            }
            let wire = present.wire(c.languages, own, lead: nil, now: c.now)
            throw try TextChanged(problem, present: One(id: study.id, wire))
        }
    }

    @Sendable static func choose(_ c: Context<Member>) throws -> Reply {
        let study = try study(c)
        let fields = try c.body()
        let wanted = StudyMeasures.read(fields, from: study.measurements)
        if wanted == nil, !fields.has("measurements") { fields.refuse("measurements", "errors.required") }
        try fields.finish()
        try StudyMeasures.choose(wanted ?? [], in: study.id, c)
        return try show(c)
    }

    @Sendable static func locate(_ c: Context<Member>) throws -> Reply {
        let study = try study(c)
        let fields = try c.body()
        let choice = StudyLocation.read(fields, required: true)
        try fields.finish()
        if let choice { try StudyLocation.choose(choice, in: study.id, c) }
        return try show(c)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let study = try study(c)
        let fields = InputReader(form: c.request.query)
        let isRemoving = fields.choice("data", from: ["keep", "remove"]) == "remove"
        try fields.finish()
        guard let number = try Enrolling.leave(study, isRemoving: isRemoving, c),
            let receipt = try c.read({ try Receipts.read(number, c, $0) })
        else { return .response(.noContent) }
        // Phones from before there were receipts know 204 alone.
        if c.request.headers["Prefer"]?.contains("return=representation") == true {
            return try .data(One(id: number.text, receipt))
        }
        var answer = Response.noContent
        answer.headers.append("Receipt", number.text)
        return .response(answer)
    }

    @Sendable static func studies(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let all = try c.read { try StudyStore.all(ofParticipant: account, $0) }
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
        let items = try c.read { connection in
            try part.map { study in
                let own = try EnrolmentStore.find(in: study.id, of: account, connection)
                var wire = study.wire(c.languages, own, lead: nil, now: c.now)
                wire.asksLocation = try StudyLocationStore.isAsked(in: study.id, connection)
                return Item(id: study.id, wire)
            }
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func questionnaires(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let all = try c.read { connection -> [Item<StudyQuestionnaire>] in
            var own: [ID<Study>: ParticipantPrompts] = [:]
            var points: [ID<Study>: [TimePoint]] = [:]
            for enrolment in try EnrolmentStore.all(of: account, connection)
            where enrolment.state == .enrolled {
                guard let study = try StudyStore.find(enrolment.studyID, connection) else { continue }
                own[study.id] = try StudyPrompts(study, connection).of(enrolment, connection)
                points[study.id] = study.timePoints
            }
            // What is asked at a time point is told of from its first day on.
            let begun = try StudyItemStore.all(of: account, connection).filter { item in
                own[item.studyID]?.hasBegun(item, at: c.now) == true
            }
            return try begun.map { item in
                let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
                var wire = item.wire(record, c.languages)
                let point = points[item.studyID]?.first { $0.key == item.timePoint }
                wire.timePointTitle = point?.title.text(in: c.languages)
                wire.isFilledOut = own[item.studyID]?.isFilledOut(item, at: c.now) ?? false
                return Item(id: item.id, wire)
            }
        }
        return try .data(paging.part(of: all))
    }
}
