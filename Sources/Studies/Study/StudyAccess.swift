import Identity
import Records
import Web
import Wire
import Wording

/// A study lead together with one of their own studies.
package struct StudyLead: Sendable {
    package let lead: AccountRecord
    package let study: StudyRecord

    fileprivate init(_ lead: AccountRecord, _ study: StudyRecord) { (self.lead, self.study) = (lead, study) }
}

extension Access where Proof == StudyLead {
    /// One of the lead's own studies. Another lead's study is not found, not forbidden.
    package static var studyLead: Self {
        Access(
            .studyLead,
            .byRecords { actor, places, _, connection in
                let person = try actor.confirmed()
                guard person.account.roles.contains(.lead) else {
                    throw Problem.forbidden(Message("problems.forbidden"))
                }
                guard let id = ID<Study>(uuid: places["study"]),
                    let study = try StudyStore.find(id, ofLead: person.account.id, connection)
                else { throw Problem.notFound }
                return StudyLead(person.account, study)
            })
    }
}
