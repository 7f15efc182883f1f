import HTTP
import Records
import Wire
import Wording

extension ShownFields {
    /// - Returns: nil for calls, and for forms that do not say what they showed.
    convenience init?(_ request: Request, _ services: Services) throws {
        guard request.method == .post, let form = Form(body: request),
            form.fields.contains(where: { Self.isMark($0.name) })
        else { return nil }
        self.init(form, position: try services.records.read { try AuditPosition.last($0) })
    }

    /// Begins a request again where something was written between its reading and its own write.
    /// - Throws: `Problem.preconditionFailed` where that happens again and again, beside what the body throws.
    static func again(_ body: () throws -> Reply) throws -> Reply {
        for _ in 0..<5 {
            do { return try body() } catch is ShownOutdated { continue }
        }
        throw Problem.preconditionFailed
    }
}
