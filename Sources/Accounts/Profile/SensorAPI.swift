import HTTP
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// The sensors a device may read while its owner answers.
package enum SensorAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/sensor-settings", .patient,
            .one("Which sensors may be read while answering", SensorSettings.self).revised(
                AccountRevisionStore.sensors), show)
        routes.call(
            .put, "/my/sensor-settings", .patient,
            .one("Switch sensors on or off", SensorSettings.self, takes: SensorSettings.schema).revised(
                AccountRevisionStore.sensors), put)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = try c.read { try c.ownAccount($0) }
        return try .data(One(SensorSettings(gps: account.isGPSOn, microphone: account.isMicrophoneOn)))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let gps = fields.bool("gps")
        let microphone = fields.bool("microphone")
        if gps == nil && fields.value("gps") == nil { fields.refuse("gps", "errors.required") }
        if microphone == nil && fields.value("microphone") == nil {
            fields.refuse("microphone", "errors.required")
        }
        try fields.finish()
        guard let gps, let microphone else { throw Problem.invalid(fields.errors) }
        let settings = SensorSettings(gps: gps, microphone: microphone)
        try save(settings, c)
        return try .data(One(settings))
    }

    package static func save(_ settings: SensorSettings, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.sensorsSwitched, about: account) { connection in
            try AccountStore.setSensors(
                gps: settings.gps, microphone: settings.microphone, of: account, connection)
        }
    }
}

extension AuditAction {
    static let sensorsSwitched = AuditAction(name: "sensors.switched")
}
