import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Secrets
import Studies
import Web
import Wire
import Wording

/// Takes a plan in as a new study: stopped, with a seed and a code of its own, and led by the caller.
struct PlanIntake: Sendable {
    let plan: JSON
    /// Whether questionnaires of the same key that are another version here are asked as they are here.
    let usesPresent: Bool

    /// - Returns: the new study.
    /// - Throws: `Problem.invalid` with the place in the file.
    func take<P>(by lead: ID<Account>, _ c: Context<P>) throws -> StudyRecord {
        try StudyPlan.check(plan)
        var draft = try head()
        // A password is no part of a plan: with one of its own the study stays closed until leads set theirs.
        let hash =
            draft.access == .password
            ? try c.services.gate.hash(hexadecimalDigits(c.services.chance.bytes(32))) : nil
        draft = try StudyActions.told(draft, over: nil, c.services)
        let id: ID<Study> = c.newID()
        let code = c.services.chance.digits(8)
        let seed = c.services.chance.number()
        let salt = c.services.chance.bytes(AllocationRule.saltBytes)
        let suffix = c.services.chance.digits(4)
        let items = plan["questionnaires"]?.array ?? []
        let definitions = plan["definitions"]?.array ?? []
        let itemIDs: [ID<StudyItem>] = items.map { _ in c.newID() }
        let versionIDs: [ID<QuestionnaireVersion>] = definitions.map { _ in c.newID() }
        return try c.write(.studyPlanTaken, object: id) {
            [draft, now = c.now, services = c.services, language = c.language] connection in
            for (number, (json, version)) in zip(definitions, versionIDs).enumerated() {
                let isNew = try publish(
                    json, at: "definitions.\(number)", as: version, services, now: now, connection)
                if isNew {
                    try services.records.note(
                        .questionnaireImported, by: lead, object: version, at: now, connection)
                }
            }
            var named = draft
            // A name that is taken here gets a number behind it, as a copy does.
            if try StudyStore.isTaken(named.name, connection) {
                named.name = "\(named.name.prefix(55))-\(suffix)"
            }
            try Placed.at("study.") {
                try StudyStore.insert(
                    named, id: id, code: code, passwordHash: hash, lead: lead, at: now, connection)
            }
            for (number, (json, item)) in zip(items, itemIDs).enumerated() {
                try add(
                    json, at: "questionnaires.\(number).", as: item, to: id, services, now: now, connection)
            }
            guard let study = try StudyStore.find(id, connection) else { throw Problem.notFound }
            guard let groups = plan["groups"], groups != .null else {
                try CheckedChange.requireArms(
                    of: id, field: "groups", "studies.item_arm_unknown", connection)
                return study
            }
            let scales =
                try StudyScale.all(in: id, language, services.questionnaires, connection)
                + StudyScale.ofTherapies(
                    in: study, named: nil, language, services.questionnaires, connection)
            let design = try GroupDraft.read(
                json: InputReader(json: groups, prefix: "groups."), scales: scales)
            try Placed.at("groups.") {
                try Grouping.store(
                    design.groups, of: id, seed: seed, salt: salt, services, at: now, connection)
            }
            return study
        }
    }

    private func head() throws -> StudyDraft {
        guard let study = plan["study"], case .object(let members) = study else {
            throw Problem.invalid("study", "errors.object")
        }
        let access = study["access"]?.string
        // Without a password there is none to be read.
        let readable = members.map { member in
            member.key == "access" && access == StudyAccess.password.rawValue
                ? JSON.Member("access", .string(StudyAccess.open.rawValue)) : member
        }
        var draft = try StudyDraft.read(InputReader(json: .object(readable), prefix: "study."), over: nil)
        if access == StudyAccess.password.rawValue { draft.access = .password }
        draft.isStarted = false
        draft.isArchived = false
        draft.startsAt = nil
        draft.endsAt = nil
        return draft
    }

    private func add(
        _ json: JSON, at place: String, as id: ID<StudyItem>, to study: ID<Study>, _ services: Services,
        now: Instant, _ connection: borrowing Connection
    ) throws {
        let fields = InputReader(json: json, prefix: place)
        let key = fields.text("questionnaire_key", required: true) ?? ""
        let draft = try StudyItemDraft.read(json: fields, over: nil)
        guard let record = try QuestionnaireStore.newest(key, services.questionnaires, connection) else {
            throw Problem.invalid(place + "questionnaire_key", "errors.unknown_questionnaire")
        }
        try Placed.at(place) {
            try draft.check(fits: record)
            try StudyItemStore.insert(draft, id: id, key: key, in: study, at: now, connection)
        }
    }

    /// A questionnaire that is not here comes in with the plan; one that is stays as it is.
    /// - Returns: whether it is new here.
    private func publish(
        _ json: JSON, at place: String, as id: ID<QuestionnaireVersion>, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let key = json["key"]?.string ?? ""
        if let present = try QuestionnaireStore.newest(key, services.questionnaires, connection) {
            let here = try QuestionnaireStore.file(present.id, connection)
            if usesPresent || here.map({ PlanDifference.isSame($0, json) }) ?? false { return false }
            throw Problem.invalid(place, "plans.other_version", ["key": key])
        }
        // It would be in use again for everybody.
        if try !QuestionnaireStore.versions(key, connection).isEmpty {
            throw Problem.invalid(place, "plans.retired", ["key": key])
        }
        do {
            let clean = json.withCleanWords
            _ = try QuestionnaireStore.insert(
                clean, QuestionnaireFile.read(clean), id: id, at: now, connection)
            return true
        } catch let faults as QuestionnaireFile.Faults {
            var errors = FieldErrors()
            for fault in faults.list {
                errors.add("\(place).\(fault.place)", fault.message.key, fault.message.values)
            }
            throw Problem.invalid(errors)
        }
    }
}

/// Says where in a plan something is wrong that was found without its place.
private enum Placed {
    static func at(_ place: String, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let problem as Problem {
            throw problem.placed(at: place)
        }
    }
}

extension Problem {
    fileprivate func placed(at place: String) -> Problem {
        var placed = FieldErrors()
        switch self {
        case .invalid(let errors):
            for error in errors.list {
                let field = error.field.hasPrefix(place) ? error.field : place + error.field
                placed.add(field, error.message.key, error.message.values)
            }
        case .conflict(let message, _): placed.add(String(place.dropLast()), message.key, message.values)
        default: return self
        }
        return .invalid(placed)
    }
}

extension AuditAction {
    static let studyPlanTaken = AuditAction(name: "study.plan_taken")
}
