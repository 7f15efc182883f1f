/// What a phone's sensors told while a sheet was filled in, as it is sent with the answers.
public enum SensorReading {
    public static let gps = Schema.object([
        Schema.property("latitude", .number), Schema.property("longitude", .number),
        Schema.optional("altitude", .number.orNull), Schema.property("measured_at", .time),
    ])
    public static let microphone = Schema.object([
        Schema.property("amplitude", .number), Schema.property("measured_at", .time),
    ])
}
