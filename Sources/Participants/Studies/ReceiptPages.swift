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
        /// Where it can be looked at by its number.
        let address: String

        init<P>(_ receipt: LeavingReceipt, _ c: Context<P>) {
            study = receipt.study
            address = c.services.origin + (ReceiptNumber(typed: receipt.receipt)?.path ?? "")
            number = ReceiptNumber(typed: receipt.receipt)?.shown ?? receipt.receipt
            day = c.dates(in: Zone(c.services.timezone)).day(receipt.leftAt)
            answers = c.texts["receipts.\(receipt.answers)"]
        }
    }

    package struct Own: Page {
        package static let template = "my/receipt"
        package static let section: NavigationItem? = .more
        let parent: PageLink
        /// Of each participation that was left, the latest first.
        let receipts: [Facts]
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
        let found = try c.read { try ReceiptStore.numbers(in: id, of: c.proof.account.id, key, $0) }
        if found.isEmpty { throw Problem.notFound }
        return .page(
            Own(
                parent: OwnStudiesPages.parent(c.texts),
                receipts: try found.map { Facts(try Receipts.find($0.text, c), c) }))
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
            receipt: receipt.map { Facts($0, c) }, errors: filled.summary)
    }
}
