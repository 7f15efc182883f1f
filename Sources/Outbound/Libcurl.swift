import CCurl

/// What every user of libcurl in this process shares.
public enum Libcurl {
    /// It must be set up once, before any thread uses it; Swift does this exactly once. False when it cannot be.
    public static let isReady = intersession_curl_global_init() == CURLE_OK
}
