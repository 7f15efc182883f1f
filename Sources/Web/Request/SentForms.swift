import Foundation
import HTTP
import Identity
import Records
import Secrets
import Wire
import Wording

/// Lets each form act once. That it was sent is written in the transaction of what it does; where its answer leads is known only
/// after that, and is written then. One that arrives meanwhile waits for its turn, in another portal for two seconds; after
/// that, or after the program was killed between the two, it is told that the form was taken and where that may show.
package final class SentForms: Sendable {
    private let records: Records
    private let keys: Keyring
    private let flashes: FlashMessages
    private let log: Log
    private let turns = Turns()

    init(_ records: Records, _ keys: Keyring, _ flashes: FlashMessages, _ log: Log) {
        self.records = records
        self.keys = keys
        self.flashes = flashes
        self.log = log
    }

    /// Runs the route of a form, unless the form was sent before.
    /// - Throws: `SentBefore` for one that cannot be answered as the first one was, beside what the route throws.
    func once(_ request: Request, by person: SignedIn?, at now: Instant, _ route: () throws -> Reply) throws
        -> Reply
    {
        guard let person, let form = SentForm(request, of: person.account.id, keys, at: now) else {
            return try route()
        }
        return try turns.take(form.name) {
            if let earlier = try earlier(form) {
                if earlier.content == form.content { return try again(earlier, form, for: person, at: now) }
                form.note(otherwise: earlier)
            }
            do {
                let reply = try SentForm.$current.withValue(form) { try route() }
                // A form is drawn again where what it wants is refused.
                if case .page(_, let status, _, _) = reply, status >= 400,
                    let answer = try doneElsewhere(form, for: person, at: now)
                {
                    return answer
                }
                // It is done, whether or not that can still be written: sent again it is told that it had arrived.
                do {
                    try settle(reply, form)
                } catch {
                    log.line(
                        "warning", "answer to a form not noted", [("detail", Log.detail(of: error))], at: now)
                }
                return reply
            } catch let before as SentBefore where before.isSame {
                return try again(before.earlier, form, for: person, at: now)
            } catch {
                if form.isWritten { try forget(form) }
                if let answer = try doneElsewhere(form, for: person, at: now) { return answer }
                throw error
            }
        }
    }

    /// The answer of another portal, which may have done meanwhile what this one then found done; nil without one.
    private func doneElsewhere(
        _ form: SentForm, for person: SignedIn, at now: Instant
    ) throws -> Reply? {
        guard !form.isWritten, records.isShared, var earlier = try earlier(form),
            earlier.content == form.content
        else { return nil }
        // What it has done is there; where its answer leads is written right after that.
        let end = ContinuousClock.now + Self.longestAnswer
        while earlier.answer(form.name, keys) == nil, ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: Self.look)
            guard let later = try self.earlier(form) else { return nil }
            earlier = later
        }
        return try again(earlier, form, for: person, at: now)
    }

    /// How long the answer of another portal is waited for: one that is killed before it writes it never does.
    private static let longestAnswer = Duration.seconds(2)
    /// In seconds, between two looks: no notification says it.
    private static let look = 0.02

    private func earlier(_ form: SentForm) throws -> EarlierForm? {
        try records.read { try SentFormStore.find(form.name, $0) }
    }

    /// The answer of the first one: its redirect, and a word where no line of it waits for the next page.
    private func again(
        _ earlier: EarlierForm, _ form: SentForm, for person: SignedIn, at now: Instant
    ) throws -> Reply {
        guard let answer = earlier.answer(form.name, keys) else { throw SentBefore(earlier, by: form) }
        let isWaiting = try flashes.isWaiting(for: person.credential.id, now: now)
        return .seeOther(answer.path, flash: isWaiting ? nil : Message("forms.sent_already"))
    }

    /// Keeps where the answer leads. What ended in a refusal after all may be sent again.
    private func settle(_ reply: Reply, _ form: SentForm) throws {
        guard form.isWritten else { return }
        switch reply {
        case .seeOther(let path, let flash, _, let cookies) where cookies.isEmpty:
            let answer = try JSONEncoder().encode(EarlierForm.Answer(path: path, flash))
            let sealed = keys.seal(Array(answer), for: EarlierForm.place(form.name))
            try records.writeUnaudited(.sentForms) { try SentFormStore.answer(form.name, sealed, $0) }
        case .page(_, let status, _, _) where status >= 400: try forget(form)
        // A file is fetched from the same page as often as it is wanted.
        case .response, .refused: try forget(form)
        case .seeOther, .page: break
        }
    }

    private func forget(_ form: SentForm) throws {
        try records.writeUnaudited(.sentForms) { try SentFormStore.remove(form.name, $0) }
    }

    /// What a page says about an earlier form of it.
    /// - Parameter page: where it may show, if nothing else is known.
    func view(
        of before: SentBefore, above page: String, _ dates: DateFormat, _ texts: Texts
    ) -> SentBefore.View {
        let answer = before.earlier.answer(before.name, keys)
        return SentBefore.View(
            earlierWhen: texts["forms.sent_when", ["when": dates.short(before.earlier.sentAt)]],
            earlierSaid: answer?.message.map { texts[$0] }, earlierPath: answer?.path ?? page)
    }
}
