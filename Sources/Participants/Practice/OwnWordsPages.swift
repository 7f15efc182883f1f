import HTTP
import Identity
import Rules
import Therapies
import Web
import Wording

/// Own words on exercises (PW-7): they are stored on the device alone, so the page describes what a script does with
/// them. For another device of the same person they pass through a vault that the server cannot read.
package enum OwnWordsPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/words", .patient, show)
        routes.page(.get, "/my/words/vault", .paired, vault)
        routes.page(.post, "/my/words/vault", .paired, putVault)
    }

    package struct Show: Page {
        package static let template = "my/words"
        package static let section: NavigationItem? = .more
        /// The vault belongs to a running therapy.
        let isPaired: Bool
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let therapy = try c.read { try TherapyStore.running(of: c.proof.account.id, $0) }
        return .page(Show(isPaired: therapy != nil))
    }

    @Sendable static func vault(_ c: Context<PairedPatient>) throws -> Reply {
        try .plain(try VaultAPI.present(c))
    }

    @Sendable static func putVault(_ c: Context<PairedPatient>) throws -> Reply {
        let form = try c.form()
        let known = ["form_token", "ciphertext", "revision"]
        // There is no field for anything readable.
        guard form.fields.allSatisfy({ known.contains($0.name) }) else {
            throw Problem.invalid("body", "practice.stays_here")
        }
        return try .plain(try VaultAPI.save(InputReader(form: form), c))
    }
}
