import Database
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Whether a form of others goes on the questionnaire whose key it meets, or is one of its own (RP-5).
enum FormAnswer: String, CaseIterable, Sendable { case version, new }

/// Forms whose keys other questionnaires have: which is meant is asked, never decided in silence.
struct FormsMet: Error, Sendable {
    let list: [(index: Int, form: AnotherForm)]
}

/// Which questionnaires the files of one upload become.
struct FormPlacing: Sendable {
    let files: [ImportedFiles.Named]
    /// One for each file; nil where nothing was said.
    let answers: [FormAnswer?]
    let cache: QuestionnaireCache
    let languages: [Language]

    /// The keys of the files, in order.
    /// - Throws: `FormsMet`; `Faults` where two of the files, or a file and a draft, are the same form.
    func keys(_ connection: borrowing Connection) throws -> [String] {
        let drafts = try EditorStore.all(connection)
        var keys: [String] = []
        var met: [(index: Int, form: AnotherForm)] = []
        var faults: [QuestionnaireFile.Fault] = []
        for (index, named) in files.enumerated() {
            let refuse = { (message: Message) in
                faults.append(.init(place: ImportedFiles.place("key", in: named.name), message: message))
            }
            let marks = named.file.identity?.deciding ?? []
            let isTwice = files[..<index].contains { earlier in
                (earlier.file.identity?.deciding ?? []).contains(where: marks.contains)
            }
            if isTwice {
                refuse(Message("exchange.twice"))
                continue
            }
            switch try place(named.file, answers[index], besides: keys, drafts: drafts, connection) {
            case .known(let key):
                if keys.contains(key) { refuse(Message("exchange.twice")) }
                keys.append(key)
            case .free(let key): keys.append(key)
            case .drafted(let key):
                refuse(Message("exchange.draft_exists"))
                keys.append(key)
            case .met(let form):
                met.append((index, form))
                keys.append(form.key)
            }
        }
        if !faults.isEmpty { throw QuestionnaireFile.Faults(list: faults) }
        if !met.isEmpty { throw FormsMet(list: met) }
        return keys
    }

    private enum Place {
        case known(String)
        case free(String)
        /// A new questionnaire that is still being edited.
        case drafted(String)
        case met(AnotherForm)
    }

    private func place(
        _ file: ImportedFile, _ answer: FormAnswer?, besides keys: [String], drafts: [EditorDraft],
        _ connection: borrowing Connection
    ) throws -> Place {
        let taken = Set(keys + drafts.filter { $0.basedOn == nil }.map(\.document.key))
        let natural = file.definition.key
        guard let identity = file.identity else {
            return answer == .new ? .free(try free(natural, taken, connection)) : .known(natural)
        }
        if answer != .new {
            if let key = try FormSourceStore.key(of: identity, connection) { return .known(key) }
            // What was answered for a draft holds before it is published, too.
            let deciding = identity.deciding
            if let draft = drafts.first(where: { $0.marks.contains(where: deciding.contains) }) {
                return draft.basedOn == nil ? .drafted(draft.document.key) : .known(draft.document.key)
            }
        }
        var candidates = [natural]
        // All forms without a name became one questionnaire, before they were told apart.
        let former = FormIdentity.formerKey
        if identity.isNameless, try !FormSourceStore.isKnown(former, connection) { candidates.append(former) }
        for key in candidates {
            guard let other = try other(key, connection) else { continue }
            switch answer {
            case nil: return .met(other)
            case .version: return .known(key)
            case .new: return .free(try free(natural, taken, connection))
            }
        }
        return .free(try free(natural, taken, connection))
    }

    private func other(_ key: String, _ connection: borrowing Connection) throws -> AnotherForm? {
        guard let newest = try QuestionnaireStore.versions(key, connection).first,
            let record = try QuestionnaireStore.find(newest.id, cache, connection)
        else { return nil }
        return AnotherForm(
            key: key, version: newest.version, title: record.title(languages),
            url: try FormSourceStore.url(of: key, connection))
    }

    /// The key itself, or with the first number behind it that makes it free.
    private func free(
        _ key: String, _ taken: Set<String>, _ connection: borrowing Connection
    ) throws -> String {
        var candidate = key
        var number = 1
        while try taken.contains(candidate) || QuestionnaireStore.exists(candidate, connection) {
            number += 1
            candidate = "\(key.prefix(60 - "_\(number)".utf8.count))_\(number)"
        }
        return candidate
    }
}
