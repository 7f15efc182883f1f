import Database
import HTTP
import Records
import Web
import Wire
import Wording

/// Shows a receipt to all who have its number: the one who left, the study's leads, an ethics committee.
package enum Receipts {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/receipts/:number", .anyone,
            .one("What the receipt of leaving a study says; without signing in", LeavingReceipt.self), show)
    }

    /// - Throws: `Problem.notFound` for a number that is none.
    package static func find<P>(_ typed: String, _ c: Context<P>) throws -> LeavingReceipt {
        guard let number = ReceiptNumber(typed: typed),
            let found = try c.read({ try read(number, c, $0) })
        else { throw Problem.notFound }
        return found
    }

    static func read<P>(
        _ number: ReceiptNumber, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> LeavingReceipt? {
        guard let receipt = try ReceiptStore.find(number, connection),
            let study = try StudyStore.find(receipt.study, connection)
        else { return nil }
        return LeavingReceipt(
            receipt: number.text, study: study.title.text(in: c.languages) ?? study.name,
            leftAt: receipt.leftAt, answers: receipt.isErased ? "erased" : "kept")
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let receipt = try find(c.places["number"] ?? "", c)
        return try .data(One(id: receipt.receipt, receipt))
    }

    /// The receipt of a participation that ends now, or ended before: sent once more, leaving answers the same one.
    /// - Parameter isRemoving: whether the answers go, now or later.
    /// - Returns: nil where there was no participation.
    static func note(
        _ enrolment: EnrolmentRecord, _ key: PersonKey, isRemoving: Bool, by chance: Randomness,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws -> ReceiptNumber? {
        switch enrolment.state {
        case .pending, .declined: return nil
        case .enrolled:
            let number = ReceiptNumber(chance)
            try ReceiptStore.insert(number, of: enrolment, key, isErased: isRemoving, at: now, connection)
            return number
        case .left:
            let number = try ReceiptStore.number(of: enrolment.id, key, connection)
            if isRemoving, let number { try ReceiptStore.noteErasure(number, connection) }
            return number
        }
    }
}
