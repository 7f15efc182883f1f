import Database
import HTTP
import Records
import Scheduling
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
    /// - Parameter isRemoving: whether the answers of all participations in the study go, now or later.
    /// - Returns: nil where there was no participation.
    static func note(
        _ enrolment: EnrolmentRecord, _ key: PersonKey, isRemoving: Bool, _ services: Services,
        at now: Instant,
        in connection: borrowing Connection
    ) throws -> ReceiptNumber? {
        if isRemoving {
            try ReceiptStore.noteErasure(of: enrolment.accountID, in: enrolment.studyID, connection)
        }
        switch enrolment.state {
        case .pending, .declined: return nil
        case .left: return try ReceiptStore.number(of: enrolment.id, key, connection)
        case .enrolled:
            let number = ReceiptNumber(services.chance)
            let zone = Zone(services.timezone)
            let noon = zone.instant(LocalTime(now, zone).date, hour: 12, minute: 0)
            try ReceiptStore.insert(number, of: enrolment, key, isErased: isRemoving, on: noon, connection)
            return number
        }
    }
}
