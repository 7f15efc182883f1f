import HTTP
import Identity
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// Receipts of leaving a study (ST-6): the own one, and what all see who have its number.
package enum ReceiptPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/receipt", .patient, own)
        routes.page(.get, "/receipts", .anyone, look)
        routes.page(.get, "/receipts/:number", .anyone, show)
    }

    /// What was left, when, and what became of the answers.
    struct Facts: Encodable, Sendable {
        let study: String
        let number: String
        let day: String
        let answers: String

        init<P>(_ receipt: LeavingReceipt, _ zone: Zone, _ c: Context<P>) {
            study = receipt.study
            number = ReceiptNumber(typed: receipt.receipt)?.shown ?? receipt.receipt
            day = c.dates(in: zone).day(receipt.leftAt)
            answers = c.texts["receipts.\(receipt.answers)"]
        }
    }

    package struct Own: Page {
        package static let template = "my/receipt"
        package static let section: NavigationItem? = .more
        let parent: PageLink
        let receipt: Facts
        /// Where it can be looked at by its number.
        let address: String
    }

    package struct Public: Page {
        package static let template = "my/receipt-look"
        let number: FieldView
        let receipt: Facts?
        var errors: ErrorSummary?
    }

    static func path(_ study: ID<Study>) -> String { "\(OwnStudiesPages.path)/\(study)/receipt" }

    @Sendable static func own(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        let key = try c.proof.account.key(c.keys)
        let found = try c.read { connection -> ReceiptNumber? in
            guard let enrolment = try EnrolmentStore.find(in: id, of: c.proof.account.id, connection) else {
                return nil
            }
            return try ReceiptStore.number(of: enrolment.id, key, connection)
        }
        guard let found else { throw Problem.notFound }
        return .page(
            Own(
                parent: OwnStudiesPages.parent(c.texts),
                receipt: Facts(try Receipts.find(found.text, c), Zone(c.proof.account.timezone), c),
                address: c.services.origin + found.path))
    }

    /// A field for the number, for those who have it on paper.
    @Sendable static func look(_ c: Context<Anyone>) throws -> Reply {
        guard let typed = c.request.query["number"] else { return .page(page(nil, FormState(c.texts), c)) }
        if let number = ReceiptNumber(typed: typed), (try? Receipts.find(typed, c)) != nil {
            return .seeOther(number.path)
        }
        var errors = FieldErrors()
        errors.add("number", "receipts.unknown")
        return .page(page(nil, FormState(c.request.query, errors, c.texts), c), status: 422)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let receipt = try Receipts.find(c.places["number"] ?? "", c)
        return .page(page(receipt, FormState(c.texts), c))
    }

    private static func page(
        _ receipt: LeavingReceipt?, _ filled: FormState, _ c: Context<Anyone>
    ) -> Public {
        Public(
            number: filled.field(
                "number", label: "receipts.number", hint: "receipts.number_hint", required: true,
                autocomplete: "off"),
            receipt: receipt.map { Facts($0, Zone(c.services.timezone), c) }, errors: filled.summary)
    }
}
