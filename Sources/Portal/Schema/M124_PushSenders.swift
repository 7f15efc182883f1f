import Database

/// The key that a subscription was made for is known (RP-111).
let m124PushSenders = Migration(
    "M124_PushSenders", .expand,
    """
    -- The public key of keys/push.key as the device was told it. Null: from before, and taken for the present one at the next start.
    ALTER TABLE push_subscriptions ADD COLUMN sender TEXT;
    """)
