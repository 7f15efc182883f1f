import Wire

/// The readings of a phone's sensors while a sheet was filled in, sent with the answers.
enum SensorReading {
    static let gps = Schema.object([
        Schema.property("latitude", .number), Schema.property("longitude", .number),
        Schema.optional("altitude", .number.orNull), Schema.property("measured_at", .time),
    ])
    static let microphone = Schema.object([
        Schema.property("amplitude", .number), Schema.property("measured_at", .time),
    ])
}
