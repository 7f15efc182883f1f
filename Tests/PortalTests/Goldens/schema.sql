CREATE INDEX absence_sessions_notice ON absence_sessions (notice_id);

CREATE INDEX absence_sessions_session ON absence_sessions (session_id);

CREATE INDEX absence_sessions_therapy ON absence_sessions (therapy_id);

CREATE INDEX absences_cover ON absences (cover_id);

CREATE INDEX absences_therapist ON absences (therapist_id, ends_on);

CREATE INDEX accounts_unproven ON accounts (unproven_lookup);

CREATE INDEX alerts_open ON alerts (therapy_id) WHERE acknowledged_at IS NULL;

CREATE INDEX alerts_therapy ON alerts (therapy_id, raised_at);

CREATE INDEX app_use_day ON app_use (day);

CREATE INDEX appointments_therapy ON appointments (therapy_id, starts_at);

CREATE INDEX assignment_links_account ON assignment_links (account_id);

CREATE UNIQUE INDEX assignment_links_live ON assignment_links (assignment_id) WHERE ended_at IS NULL;

CREATE INDEX assignments_by_time ON assignments (therapy_id, assigned_at) WHERE planned_on IS NULL;

CREATE INDEX assignments_dailies
    ON assignments (therapy_id, available_from, planned_on, period, withdrawn_at, fetched_at, notified_at, opened_at)
    WHERE planned_on IS NOT NULL;

CREATE INDEX assignments_given ON assignments (therapy_id, available_from) WHERE planned_on IS NULL;

CREATE UNIQUE INDEX assignments_one_daily_per_period ON assignments (therapy_id, planned_on, period)
    WHERE planned_on IS NOT NULL AND withdrawn_at IS NULL;

CREATE INDEX assignments_opening ON assignments (available_from);

CREATE INDEX assignments_rule ON assignments (rule_id, occasion) WHERE rule_id IS NOT NULL;

CREATE INDEX assignments_therapy ON assignments (therapy_id, due_at);

CREATE INDEX audit_log_at ON audit_log (at);

CREATE INDEX audit_log_subject ON audit_log (subject_id);

CREATE INDEX consent_choices_account ON consent_choices (account_id);

CREATE INDEX contributions_account ON contributions (account_id, completed_at);

CREATE INDEX contributions_dailies
    ON contributions (therapy_id, completed_at, planned_on, period, daily_from, extra, thought, feeling)
    WHERE planned_on IS NOT NULL;

CREATE INDEX contributions_enrolment ON contributions (enrolment_id, completed_at) WHERE enrolment_id IS NOT NULL;

CREATE INDEX contributions_entered ON contributions (entered_by) WHERE entered_by IS NOT NULL;

CREATE UNIQUE INDEX contributions_event ON contributions (account_id, event_id) WHERE event_id IS NOT NULL;

CREATE UNIQUE INDEX contributions_one_per_assignment ON contributions (assignment_id)
    WHERE assignment_id IS NOT NULL;

CREATE INDEX contributions_period ON contributions (therapy_id, planned_on, period) WHERE planned_on IS NOT NULL;

CREATE UNIQUE INDEX contributions_prompt ON contributions (account_id, prompt_id) WHERE prompt_id IS NOT NULL;

CREATE INDEX contributions_questionnaire ON contributions (therapy_id, questionnaire_id, completed_at);

CREATE INDEX contributions_received ON contributions (therapy_id, received_at) WHERE planned_on IS NULL;

CREATE INDEX contributions_seen ON contributions (seen_at) WHERE seen_at IS NOT NULL;

CREATE INDEX contributions_study ON contributions (study_id, enrolment_id, questionnaire_id, completed_at)
    WHERE study_id IS NOT NULL;

CREATE INDEX contributions_study_received ON contributions (enrolment_id, questionnaire_id, received_at)
    WHERE enrolment_id IS NOT NULL;

CREATE INDEX contributions_therapy ON contributions (therapy_id, completed_at);

CREATE INDEX contributions_unseen ON contributions (therapy_id, received_at)
    WHERE must_be_seen = 1 AND seen_at IS NULL;

CREATE INDEX cover_patients_therapy ON cover_patients (therapy_id);

CREATE INDEX covers_colleague ON covers (colleague_id);

CREATE INDEX covers_therapist ON covers (therapist_id);

CREATE INDEX credentials_account ON credentials (account_id);

CREATE INDEX delivery_rules_protocol ON delivery_rules (protocol_id) WHERE protocol_id IS NOT NULL;

CREATE INDEX delivery_rules_therapy ON delivery_rules (therapy_id);

CREATE INDEX email_changes_account ON email_changes (account_id);

CREATE UNIQUE INDEX email_changes_return ON email_changes (return_hash);

CREATE INDEX emergency_openings_account ON emergency_openings (account_id, opened_at);

CREATE INDEX emergency_openings_therapy ON emergency_openings (therapy_id, opened_at);

CREATE INDEX enrolments_account ON enrolments (account_id, study_id);

CREATE UNIQUE INDEX enrolments_once ON enrolments (study_id, account_id) WHERE state IN ('pending', 'enrolled');

CREATE INDEX enrolments_therapy ON enrolments (therapy_id) WHERE therapy_id IS NOT NULL;

CREATE INDEX enrolments_waiting ON enrolments (study_id) WHERE allocation_state = 'waiting';

CREATE INDEX feedback_messages_account ON feedback_messages (account_id);

CREATE INDEX feedback_messages_received ON feedback_messages (received_at);

CREATE INDEX file_looks_account ON file_looks (account_id);

CREATE INDEX form_sources_key ON form_sources (key);

CREATE INDEX hand_overs_from ON hand_overs (from_account);

CREATE INDEX hand_overs_therapy ON hand_overs (therapy_id);

CREATE INDEX hand_overs_to ON hand_overs (to_account);

CREATE INDEX health_records_starts ON health_records (account_id, kind, starts_at);

CREATE INDEX interventions_library ON interventions (library_id) WHERE library_id IS NOT NULL;

CREATE INDEX interventions_therapy ON interventions (therapy_id, assigned_at);

CREATE INDEX kept_files_therapist ON kept_files (therapist_id, expires_at);

CREATE INDEX known_browsers_account ON known_browsers (account_id);

CREATE INDEX letters_account ON letters (account_id);

CREATE INDEX letters_therapy ON letters (therapy_id, account_id);

CREATE UNIQUE INDEX library_interventions_starter ON library_interventions (starter) WHERE starter IS NOT NULL;

CREATE INDEX listening_sessions_sound ON listening_sessions (sound_id);

CREATE INDEX listening_sessions_started ON listening_sessions (account_id, started_at);

CREATE INDEX mail_tokens_account ON mail_tokens (account_id);

CREATE INDEX mails_account ON mails (account_id);

CREATE INDEX mails_due ON mails (next_try_at) WHERE message IS NOT NULL;

CREATE INDEX measurement_sharing_therapy ON measurement_sharing (therapy_id);

CREATE INDEX news_set_aside_set ON news_set_aside (set_at);

CREATE INDEX news_set_aside_therapy ON news_set_aside (therapy_id);

CREATE INDEX notices_account ON notices (account_id, made_at);

CREATE INDEX pairing_codes_therapy ON pairing_codes (therapy_id);

CREATE INDEX password_resets_account ON password_resets (account_id);

CREATE INDEX password_resets_inviter ON password_resets (invited_by) WHERE invited_by IS NOT NULL;

CREATE INDEX pauses_therapist ON pauses (therapist_id, starts_on);

CREATE INDEX pauses_therapy ON pauses (therapy_id) WHERE therapy_id IS NOT NULL;

CREATE INDEX phone_contacts_therapy ON phone_contacts (therapy_id, at);

CREATE INDEX planned_interventions_library ON planned_interventions (library_id);

CREATE INDEX planned_interventions_protocol ON planned_interventions (protocol_id) WHERE protocol_id IS NOT NULL;

CREATE INDEX planned_interventions_sent ON planned_interventions (intervention_id)
    WHERE intervention_id IS NOT NULL;

CREATE INDEX planned_interventions_therapy ON planned_interventions (therapy_id);

CREATE INDEX planned_interventions_waiting ON planned_interventions (therapy_id)
    WHERE sent_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX profile_changes_questionnaire ON profile_changes (questionnaire_id);

CREATE INDEX profile_changes_sheet ON profile_changes (account_id, contribution_id, received_at);

CREATE INDEX protocols_owner ON protocols (owner_id);

CREATE INDEX protocols_study ON protocols (study_id) WHERE study_id IS NOT NULL;

CREATE INDEX push_messages_waiting ON push_messages (next_try_at, id)
    WHERE accepted_at IS NULL AND given_up_at IS NULL;

CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id);

CREATE INDEX quarantined_sheets_discarded ON quarantined_sheets (decided_at) WHERE decision = 'discarded';

CREATE INDEX quarantined_sheets_enrolment ON quarantined_sheets (enrolment_id, received_at)
    WHERE enrolment_id IS NOT NULL;

CREATE INDEX quarantined_sheets_therapy ON quarantined_sheets (therapy_id, received_at);

CREATE INDEX recovery_codes_account ON recovery_codes (account_id);

CREATE INDEX removed_sessions_therapy ON removed_sessions (therapy_id);

CREATE INDEX rule_evidence_therapy ON rule_evidence (therapy_id);

CREATE INDEX rule_firings_intervention ON rule_firings (intervention_id) WHERE intervention_id IS NOT NULL;

CREATE INDEX rule_firings_mail ON rule_firings (at) WHERE mail = 1 AND mailed_at IS NULL;

CREATE INDEX rule_firings_rule ON rule_firings (rule_id, therapy_id, at);

CREATE INDEX rule_firings_sheet ON rule_firings (contribution_id) WHERE contribution_id IS NOT NULL;

CREATE INDEX rule_firings_therapy ON rule_firings (therapy_id, at);

CREATE INDEX rule_protocols_protocol ON rule_protocols (protocol_id);

CREATE INDEX rule_protocols_rule ON rule_protocols (rule_id);

CREATE INDEX rule_therapies_rule ON rule_therapies (rule_id);

CREATE INDEX rules_owner ON rules (owner_id, for_all);

CREATE UNIQUE INDEX rules_starter ON rules (owner_id, starter) WHERE starter IS NOT NULL;

CREATE INDEX sent_forms_expired ON sent_forms (expires_at);

CREATE INDEX session_note_drafts_account ON session_note_drafts (account_id);

CREATE INDEX session_notes_account ON session_notes (account_id);

CREATE INDEX short_memory_expired ON short_memory (expires_at);

CREATE INDEX sound_favourites_sound ON sound_favourites (sound_id);

CREATE INDEX sound_uploads_account ON sound_uploads (account_id);

CREATE INDEX sound_uploads_audio ON sound_uploads (audio_hash);

CREATE INDEX sound_uploads_picture ON sound_uploads (picture_hash) WHERE picture_hash IS NOT NULL;

CREATE INDEX sounds_audio ON sounds (audio_hash);

CREATE INDEX sounds_category ON sounds (category_id);

CREATE INDEX sounds_picture ON sounds (picture_hash) WHERE picture_hash IS NOT NULL;

CREATE INDEX study_allocation_leads_account ON study_allocation_leads (account_id);

CREATE INDEX study_allocations_enrolment ON study_allocations (enrolment_id) WHERE enrolment_id IS NOT NULL;

CREATE INDEX study_events_enrolment ON study_events (enrolment_id, started_at);

CREATE INDEX study_events_item ON study_events (item_id, enrolment_id, received_at);

CREATE INDEX study_invitations_study ON study_invitations (study_id, expires_at);

CREATE INDEX study_leads_account ON study_leads (account_id);

CREATE INDEX study_offers_study ON study_offers (study_id);

CREATE INDEX study_requests_account ON study_requests (account_id);

CREATE INDEX study_sites_account ON study_sites (account_id);

CREATE INDEX study_unmaskings_account ON study_unmaskings (account_id);

CREATE INDEX study_unmaskings_enrolment ON study_unmaskings (enrolment_id);

CREATE INDEX study_unmaskings_study ON study_unmaskings (study_id, unmasked_at);

CREATE INDEX therapies_account ON therapies (account_id) WHERE account_id IS NOT NULL;

CREATE INDEX therapies_holder ON therapies (holder_id) WHERE holder_id IS NOT NULL;

CREATE UNIQUE INDEX therapies_one_running ON therapies (account_id)
    WHERE account_id IS NOT NULL AND ended_at IS NULL;

CREATE INDEX therapies_therapist ON therapies (therapist_id);

CREATE INDEX therapy_members_account ON therapy_members (account_id);

CREATE UNIQUE INDEX therapy_protocols_one_chosen ON therapy_protocols (therapy_id) WHERE chosen = 1;

CREATE INDEX therapy_protocols_protocol ON therapy_protocols (protocol_id);

CREATE UNIQUE INDEX therapy_sessions_appointment ON therapy_sessions (therapy_id, appointment_id)
    WHERE appointment_id IS NOT NULL;

CREATE INDEX therapy_sessions_therapy ON therapy_sessions (therapy_id, starts_at);

CREATE INDEX tinnitus_matches_matched ON tinnitus_matches (account_id, matched_at);

CREATE INDEX wearable_links_next ON wearable_links (next_pull_at) WHERE state = 'live';

CREATE INDEX wearable_links_user ON wearable_links (user_lookup) WHERE user_lookup IS NOT NULL;

CREATE INDEX wearable_quotas_holder ON wearable_quotas (holder);

CREATE INDEX wearable_quotas_hour ON wearable_quotas (hour);

CREATE INDEX wearable_requests_account ON wearable_requests (account_id, provider);

CREATE INDEX wearable_requests_credential ON wearable_requests (credential_id);

CREATE INDEX wearable_rests_holder ON wearable_rests (holder);

CREATE TABLE absence_sessions (
    absence_id TEXT NOT NULL REFERENCES absences (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    notice_id TEXT REFERENCES notices (id) ON DELETE SET NULL,
    called_off_at INTEGER NOT NULL,
    PRIMARY KEY (absence_id, session_id)
) STRICT;

CREATE TABLE absences (
    id TEXT PRIMARY KEY,
    therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    cover_id TEXT REFERENCES covers (id) ON DELETE SET NULL,
    without_cover INTEGER NOT NULL DEFAULT 0 CHECK (without_cover IN (0, 1)),
    made_at INTEGER NOT NULL,
    CHECK (starts_on <= ends_on),
    CHECK (cover_id IS NULL OR without_cover = 0)
) STRICT;

CREATE TABLE account_roles (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('therapist', 'lead', 'admin', 'clinic_lead', 'researcher')),
    PRIMARY KEY (account_id, role)
) STRICT;

CREATE TABLE account_zones (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    changed_at INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    PRIMARY KEY (account_id, changed_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('patient', 'staff')),
    wrapped_key BLOB NOT NULL,
    email BLOB NOT NULL,
    email_lookup BLOB NOT NULL UNIQUE,
    name BLOB,
    password_hash TEXT NOT NULL,
    timezone TEXT NOT NULL,
    sex INTEGER CHECK (sex IN (0, 1, 2, 9)),
    research_consent INTEGER NOT NULL DEFAULT 0 CHECK (research_consent IN (0, 1)),
    privacy_accepted_at INTEGER,
    created_at INTEGER NOT NULL,
    verified_at INTEGER
, gps_on INTEGER NOT NULL DEFAULT 0 CHECK (gps_on IN (0, 1)), microphone_on INTEGER NOT NULL DEFAULT 0 CHECK (microphone_on IN (0, 1)), notify_questionnaires INTEGER NOT NULL DEFAULT 1 CHECK (notify_questionnaires IN (0, 1)), notify_interventions INTEGER NOT NULL DEFAULT 1 CHECK (notify_interventions IN (0, 1)), notify_appointments INTEGER NOT NULL DEFAULT 1 CHECK (notify_appointments IN (0, 1)), disabled_at INTEGER, privacy_version INTEGER, is_paper INTEGER NOT NULL DEFAULT 0 CHECK (is_paper IN (0, 1)), site TEXT, access_epoch INTEGER NOT NULL DEFAULT 0, language TEXT NOT NULL DEFAULT 'de' CHECK (length(language) IN (2, 3)), names_hidden INTEGER NOT NULL DEFAULT 0 CHECK (names_hidden IN (0, 1)), keys_off INTEGER NOT NULL DEFAULT 0 CHECK (keys_off IN (0, 1)), unproven_lookup BLOB) STRICT;

CREATE TABLE added_info_pages (
    page TEXT PRIMARY KEY,
    added_at INTEGER NOT NULL,
    removed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    firing_id TEXT NOT NULL REFERENCES rule_firings (id) ON DELETE CASCADE,
    raised_at INTEGER NOT NULL,
    acknowledged_at INTEGER,
    acknowledged_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    comment BLOB,
    CHECK (acknowledged_at IS NOT NULL OR (acknowledged_by IS NULL AND comment IS NULL))
) STRICT;

CREATE TABLE answer_drafts (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    subject_id TEXT NOT NULL,
    answers BLOB NOT NULL,
    answered INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, subject_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_use (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    platform TEXT NOT NULL,
    PRIMARY KEY (account_id, day, platform)
) STRICT, WITHOUT ROWID;

CREATE TABLE appointments (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    title BLOB,
    comment BLOB,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    deleted_at INTEGER, sequence INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, id),
    CHECK (ends_at > starts_at),
    CHECK ((title IS NULL) = (deleted_at IS NOT NULL))
) STRICT;

CREATE TABLE assignment_links (
    hash BLOB PRIMARY KEY,
    assignment_id TEXT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER, account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, sent_at INTEGER, sent_by BLOB, handed_back_at INTEGER,
    CHECK (expires_at > made_at)
) STRICT;

CREATE TABLE assignments (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
    source TEXT NOT NULL CHECK (source IN
        ('therapist', 'rule', 'appointment', 'therapy_begin', 'therapy_end', 'study', 'daily')),
    available_from INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    assigned_at INTEGER NOT NULL,
    withdrawn_at INTEGER, rule_id TEXT REFERENCES delivery_rules (id) ON DELETE SET NULL, battery_id TEXT REFERENCES batteries (id), occasion TEXT, position INTEGER NOT NULL DEFAULT 0, withdrawn_by_plan INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn_by_plan IN (0, 1)), fetched_at INTEGER, notified_at INTEGER, opened_at INTEGER, planned_on TEXT, period INTEGER CHECK (period BETWEEN 0 AND 2), timezone TEXT, pushed_at INTEGER, shown_at INTEGER,
    CHECK (due_at > available_from)
) STRICT;

CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_id TEXT,
    action TEXT NOT NULL,
    subject_id TEXT,
    object_id TEXT
, change BLOB, hash BLOB) STRICT;

CREATE TABLE batteries (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
, revision INTEGER NOT NULL DEFAULT 1, removed_at INTEGER) STRICT;

CREATE TABLE battery_items (
    battery_id TEXT NOT NULL REFERENCES batteries (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    questionnaire_key TEXT NOT NULL,
    PRIMARY KEY (battery_id, position),
    UNIQUE (battery_id, questionnaire_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE briefing_questions (
    therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
    words BLOB NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE calendar_feeds (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    lookup BLOB NOT NULL UNIQUE,
    token BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE caseload_views (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    filter TEXT NOT NULL,
    sort TEXT NOT NULL,
    is_reversed INTEGER NOT NULL CHECK (is_reversed IN (0, 1))
) STRICT;

CREATE TABLE clinic_settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT,
    timezone TEXT,
    language_variant TEXT CHECK (language_variant IN ('de-AT', 'de-DE', 'de-CH')),
    crisis_numbers TEXT,
    sheet_labels TEXT,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE consent_choices (
    id INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    changed_at INTEGER NOT NULL,
    research_consent INTEGER NOT NULL CHECK (research_consent IN (0, 1))
, text_version INTEGER NOT NULL DEFAULT 1, version_told INTEGER CHECK (version_told IN (0, 1))) STRICT;

CREATE TABLE contribution_scores (
    account_id TEXT NOT NULL,
    contribution_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    scale TEXT NOT NULL,
    value REAL,
    answered INTEGER NOT NULL,
    items INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    PRIMARY KEY (account_id, contribution_id, position),
    FOREIGN KEY (account_id, contribution_id) REFERENCES contributions (account_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE contributions (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
    assignment_id TEXT REFERENCES assignments (id),
    questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
    started_at INTEGER NOT NULL,
    completed_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    answers BLOB NOT NULL,
    details BLOB,
    answered INTEGER NOT NULL,
    asked INTEGER NOT NULL, device_id TEXT, daily_from INTEGER, daily_due INTEGER, planned_on TEXT, period INTEGER CHECK (period BETWEEN 0 AND 2), extra INTEGER NOT NULL DEFAULT 0 CHECK (extra IN (0, 1)), admitted_at INTEGER, admitted_by TEXT REFERENCES accounts (id) ON DELETE SET NULL, thought REAL, feeling REAL, study_id TEXT REFERENCES studies (id), enrolment_id TEXT REFERENCES enrolments (id) ON DELETE CASCADE, entered_by TEXT REFERENCES accounts (id) ON DELETE SET NULL, is_paper INTEGER NOT NULL DEFAULT 0 CHECK (is_paper IN (0, 1)), prompt_id TEXT, prompted_at INTEGER, sensors_dropped TEXT, on_site INTEGER NOT NULL DEFAULT 0 CHECK (on_site IN (0, 1)), must_be_seen INTEGER NOT NULL DEFAULT 0 CHECK (must_be_seen IN (0, 1)), seen_at INTEGER, seen_by TEXT, consent_version INTEGER, seen_comment BLOB, zone_word TEXT, item_id TEXT, event_id TEXT,
    PRIMARY KEY (account_id, id),
    CHECK (completed_at >= started_at)
) STRICT;

CREATE TABLE cover_patients (
    cover_id TEXT NOT NULL REFERENCES covers (id) ON DELETE CASCADE,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    PRIMARY KEY (cover_id, therapy_id)
) STRICT;

CREATE TABLE covers (
    id TEXT PRIMARY KEY,
    therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    colleague_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    access TEXT NOT NULL CHECK (access IN ('read', 'act')),
    for_all INTEGER NOT NULL CHECK (for_all IN (0, 1)),
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    ended_at INTEGER,
    made_at INTEGER NOT NULL
, shares_alias INTEGER NOT NULL DEFAULT 0 CHECK (shares_alias IN (0, 1))) STRICT;

CREATE TABLE "credentials" (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('session', 'token', 'registration', 'halfway')),
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    device_name BLOB,
    platform TEXT,
    os_version TEXT,
    app_version TEXT, by_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (by_second_factor IN (0, 1)), stays_until INTEGER, browser TEXT, system TEXT, installed INTEGER NOT NULL DEFAULT 0 CHECK (installed IN (0, 1)), used_on TEXT,
    CHECK (expires_at > created_at)
) STRICT;

CREATE TABLE deleted_days (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    date TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (account_id, type, date, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery_rules (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    occasion TEXT NOT NULL CHECK (occasion IN
        ('before_session', 'therapy_begin', 'therapy_end', 'repeated', 'result')),
    questionnaire_key TEXT,
    battery_id TEXT REFERENCES batteries (id),
    open_minutes INTEGER NOT NULL CHECK (open_minutes BETWEEN 15 AND 129600),
    every INTEGER CHECK (every BETWEEN 1 AND 365),
    unit TEXT CHECK (unit IN ('day', 'week', 'month')),
    starts_on TEXT,
    at_minute INTEGER CHECK (at_minute BETWEEN 0 AND 1439),
    ends_on TEXT,
    watched_key TEXT,
    watched_scale TEXT,
    comparison TEXT CHECK (comparison IN ('at_least', 'at_most')),
    threshold REAL,
    rest_days INTEGER CHECK (rest_days BETWEEN 1 AND 365),
    created_at INTEGER NOT NULL,
    stopped_at INTEGER, protocol_id TEXT REFERENCES protocols (id) ON DELETE SET NULL, stopped_by_protocol INTEGER NOT NULL DEFAULT 0
    CHECK (stopped_by_protocol IN (0, 1)),
    CHECK ((questionnaire_key IS NULL) <> (battery_id IS NULL)),
    CHECK ((occasion = 'repeated') = (every IS NOT NULL)),
    CHECK ((occasion = 'result') = (watched_key IS NOT NULL))
) STRICT;

CREATE TABLE device_codes (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    lookup BLOB NOT NULL UNIQUE,
    code BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    claim_id TEXT,
    claim_hash BLOB,
    claim_kind TEXT CHECK (claim_kind IN ('session', 'token')),
    claim_name BLOB,
    claim_platform TEXT,
    claim_os_version TEXT,
    claim_app_version TEXT, claim_at INTEGER, claim_browser TEXT, claim_system TEXT, claim_stays INTEGER NOT NULL DEFAULT 0 CHECK (claim_stays IN (0, 1)),
    CHECK ((claim_id IS NULL) = (claim_hash IS NULL) AND (claim_id IS NULL) = (claim_kind IS NULL))
) STRICT;

CREATE TABLE email_changes (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE,
    email BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER, confirmed_at INTEGER, former_email BLOB, return_hash BLOB, return_until INTEGER,
    CHECK (email IS NOT NULL OR spent_at IS NOT NULL)
) STRICT;

CREATE TABLE emergency_contacts (
    therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
    contact BLOB NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE emergency_openings (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (reason IN ('risk', 'unreachable', 'other')),
    words BLOB,
    opened_at INTEGER NOT NULL,
    read_at INTEGER
) STRICT;

CREATE TABLE enrolment_choices (
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    -- `location`, or a kind of measurements.
    kind TEXT NOT NULL,
    chosen_at INTEGER NOT NULL,
    is_given INTEGER NOT NULL CHECK (is_given IN (0, 1)),
    -- The sentence about measurements that it was chosen under; null for the position.
    sentence INTEGER,
    PRIMARY KEY (enrolment_id, kind, chosen_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE enrolment_consents (
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version >= 1),
    agreed_at INTEGER NOT NULL,
    -- Null: agreed to before the way was kept.
    way TEXT CHECK (way IN ('browser', 'app', 'paper')), version_told INTEGER CHECK (version_told IN (0, 1)),
    PRIMARY KEY (enrolment_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE enrolment_receipts (
    enrolment_id TEXT PRIMARY KEY REFERENCES enrolments (id) ON DELETE CASCADE,
    -- Of `leaving_receipts`: what is erased later is said there, too.
    receipt BLOB NOT NULL,
    number BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE enrolments (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    codename TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'enrolled', 'declined', 'left')),
    asked_at INTEGER NOT NULL,
    enrolled_at INTEGER,
    left_at INTEGER,
    consent_version INTEGER NOT NULL,
    consented_at INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    last_activity_at INTEGER,
    -- Asked for what they had answered to be removed.
    erased_at INTEGER, arm TEXT CHECK (arm IN ('full', 'no_interventions', 'no_app')), site TEXT, therapy_id TEXT REFERENCES therapies (id) ON DELETE SET NULL, agreed_after INTEGER NOT NULL DEFAULT 0, left_after INTEGER, decided_at INTEGER, signed_on TEXT, measurements TEXT NOT NULL DEFAULT '', measurements_sentence INTEGER NOT NULL DEFAULT 1, measurements_at INTEGER, measurements_asked_at INTEGER, location TEXT CHECK (location IN ('allowed', 'refused')), location_at INTEGER, location_device TEXT CHECK (location_device IN ('read', 'refused')), arm_key TEXT, allocation_state TEXT CHECK (allocation_state IN ('waiting', 'allocated')), baseline_at INTEGER, allocated_at INTEGER, crossed_at INTEGER,
    UNIQUE (study_id, codename),
    CHECK ((state IN ('enrolled', 'left')) = (enrolled_at IS NOT NULL)),
    CHECK ((state = 'left') = (left_at IS NOT NULL)),
    CHECK (erased_at IS NULL OR state = 'left'),
    FOREIGN KEY (study_id, consent_version) REFERENCES study_consents (study_id, version)
) STRICT;

CREATE TABLE errands (
    browser BLOB PRIMARY KEY,
    errand BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE feedback_messages (
    id TEXT PRIMARY KEY,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    message BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;

CREATE TABLE file_looks (
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    looked_at INTEGER NOT NULL,
    PRIMARY KEY (therapy_id, account_id)
) STRICT;

CREATE TABLE form_sources (
    kind TEXT NOT NULL CHECK (kind IN ('url', 'identifier')),
    value TEXT NOT NULL,
    key TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT;

CREATE TABLE hand_over_wishes (
    therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    note INTEGER NOT NULL CHECK (note IN (0, 1)),
    questions INTEGER NOT NULL CHECK (questions IN (0, 1)),
    wished_at INTEGER NOT NULL
, alias INTEGER NOT NULL DEFAULT 0 CHECK (alias IN (0, 1)), session_notes INTEGER NOT NULL DEFAULT 0 CHECK (session_notes IN (0, 1))) STRICT, WITHOUT ROWID;

CREATE TABLE hand_overs (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    from_account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    to_account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    handed_at INTEGER NOT NULL,
    took_alias INTEGER NOT NULL CHECK (took_alias IN (0, 1)),
    stopped_reactions INTEGER NOT NULL,
    read_by_from_at INTEGER,
    read_by_to_at INTEGER
) STRICT;

CREATE TABLE health_goals (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    steps_per_day INTEGER CHECK (steps_per_day BETWEEN 1 AND 120000),
    sleep_minutes INTEGER CHECK (sleep_minutes BETWEEN 1 AND 1440),
    sources TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE "health_records" (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('sleep', 'activity')),
    id TEXT NOT NULL,
    starts_at INTEGER,
    ends_at INTEGER,
    minutes REAL,
    body BLOB,
    received_at INTEGER NOT NULL,
    deleted_at INTEGER, knows_stages INTEGER,
    PRIMARY KEY (account_id, kind, id),
    CHECK ((body IS NULL) = (deleted_at IS NOT NULL) AND (starts_at IS NULL) = (body IS NULL)
        AND (ends_at IS NULL) = (minutes IS NULL) AND (ends_at IS NULL OR body IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE info_pages (
    page TEXT NOT NULL,
    language TEXT NOT NULL CHECK (length(language) IN (2, 3)),
    version INTEGER NOT NULL CHECK (version >= 1),
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    published_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    PRIMARY KEY (page, version, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE installation (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE instruments (
    key TEXT PRIMARY KEY,
    licence TEXT NOT NULL CHECK (licence IN ('unstated', 'own', 'free', 'permission')),
    source TEXT,
    permitted_use TEXT,
    cutoff_source TEXT,
    asks_gps INTEGER NOT NULL DEFAULT 0 CHECK (asks_gps IN (0, 1)),
    asks_microphone INTEGER NOT NULL DEFAULT 0 CHECK (asks_microphone IN (0, 1)),
    confirmed_at INTEGER,
    confirmed_by TEXT REFERENCES accounts (id) ON DELETE SET NULL
) STRICT;

CREATE TABLE interventions (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    library_id TEXT REFERENCES library_interventions (id) ON DELETE SET NULL,
    kind TEXT NOT NULL CHECK (kind IN ('commendation', 'task', 'question')),
    text BLOB NOT NULL,
    assigned_at INTEGER NOT NULL,
    opened_at INTEGER,
    completed_at INTEGER,
    withdrawn_at INTEGER,
    CHECK (completed_at IS NULL OR opened_at IS NULL OR completed_at >= opened_at),
    CHECK (withdrawn_at IS NULL OR (opened_at IS NULL AND completed_at IS NULL))
) STRICT;

CREATE TABLE kept_files (
    id TEXT PRIMARY KEY,
    therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    codename TEXT NOT NULL,
    document BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE known_addresses (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, hash)
) STRICT;

CREATE TABLE known_browsers (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    -- The session it was signed in with last. That may have ended since.
    credential_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE leaving_receipts (
    -- Digest of the number: with the table alone no receipt can be shown.
    number BLOB PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    -- A day, as noon in the clinic's zone: a moment would lead to the participation.
    left_at INTEGER NOT NULL,
    is_erased INTEGER NOT NULL CHECK (is_erased IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE letters (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    letter BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE library_interventions (
    id TEXT PRIMARY KEY,
    owner_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
    kind TEXT NOT NULL CHECK (kind IN ('commendation', 'task', 'question')),
    text_de TEXT,
    text_en TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    retired_at INTEGER, text_other TEXT, starter TEXT,
    CHECK (text_de IS NOT NULL OR text_en IS NOT NULL)
) STRICT;

CREATE TABLE link_drafts (
    link BLOB NOT NULL REFERENCES assignment_links (hash) ON DELETE CASCADE,
    browser BLOB NOT NULL,
    answers BLOB NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (link, browser)
) STRICT;

CREATE TABLE listening_sessions (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    sound_id TEXT NOT NULL REFERENCES sounds (id),
    audio_hash TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    listened_seconds REAL NOT NULL CHECK (listened_seconds >= 0),
    loop_minutes INTEGER CHECK (loop_minutes IN (0, 2, 5, 10)),
    rating INTEGER CHECK (rating BETWEEN 1 AND 7),
    rating_state TEXT NOT NULL CHECK (rating_state IN ('rated', 'declined', 'timed_out')),
    received_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK ((rating_state = 'rated') = (rating IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_tokens (
    hash BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('verify')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER
, confirmed_at INTEGER) STRICT;

CREATE TABLE mails (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    message BLOB,
    made_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    given_up_at INTEGER,
    failure TEXT,
    CHECK ((message IS NULL) = (given_up_at IS NOT NULL))
) STRICT;

CREATE TABLE measurement_days (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    date TEXT NOT NULL,
    source TEXT NOT NULL,
    zone TEXT NOT NULL,
    n INTEGER NOT NULL,
    sum REAL NOT NULL,
    low REAL,
    high REAL,
    total REAL,
    zones TEXT,
    complete_until INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    series BLOB NOT NULL,
    filed BLOB,
    device BLOB, zone_word TEXT, device_mark TEXT,
    PRIMARY KEY (account_id, type, date, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement_intake (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    documents INTEGER NOT NULL CHECK (documents >= 0),
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement_sharing (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    since TEXT, therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
    PRIMARY KEY (account_id, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL) STRICT;

CREATE TABLE news_set_aside (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    looked_before INTEGER,
    looked_then INTEGER NOT NULL,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, therapy_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE "notices" (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN
        ('cover', 'handover', 'second_therapist', 'supervisor', 'study_message', 'consent_changed',
         'wearable_consent', 'clock_change')),
    words BLOB NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER,
    made_at INTEGER NOT NULL,
    seen_at INTEGER,
    CHECK (ends_at > starts_at)
) STRICT;

CREATE TABLE "notification_plans" (
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    item_id TEXT NOT NULL REFERENCES "study_questionnaires" (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    plan TEXT,
    PRIMARY KEY (enrolment_id, item_id, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE oldest_program (migration TEXT PRIMARY KEY) STRICT;

CREATE TABLE other_device_days (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    date TEXT NOT NULL,
    source TEXT NOT NULL,
    device_mark TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (account_id, type, date, source, device_mark)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairing_codes (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    lookup BLOB NOT NULL UNIQUE,
    code BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    replaced_at INTEGER,
    CHECK (expires_at > created_at)
) STRICT;

CREATE TABLE password_resets (
    hash BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER, invited_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    CHECK (expires_at > created_at)
) STRICT;

CREATE TABLE pauses (
    id TEXT PRIMARY KEY,
    therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    cover BLOB,
    made_at INTEGER NOT NULL, removed_at INTEGER,
    CHECK (ends_on >= starts_on)
) STRICT;

CREATE TABLE phone_contacts (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    note BLOB,
    made_at INTEGER NOT NULL,
    removed_at INTEGER
) STRICT;

CREATE TABLE planned_interventions (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    protocol_id TEXT REFERENCES protocols (id) ON DELETE SET NULL,
    library_id TEXT NOT NULL REFERENCES library_interventions (id) ON DELETE CASCADE,
    day INTEGER NOT NULL CHECK (day BETWEEN 0 AND 730),
    made_at INTEGER NOT NULL,
    intervention_id TEXT REFERENCES interventions (id) ON DELETE SET NULL,
    sent_at INTEGER,
    withdrawn_at INTEGER,
    withdrawn_by_hand INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn_by_hand IN (0, 1))
) STRICT;

CREATE TABLE profile_changes (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    contribution_id TEXT NOT NULL,
    questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
    received_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, contribution_id) REFERENCES contributions (account_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE prompt_drawings (
    version INTEGER PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT;

CREATE TABLE protocol_defaults (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE protocols (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL CHECK (scope IN ('own', 'clinic', 'study')),
    owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    study_id TEXT REFERENCES studies (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    acts_since INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    retired_at INTEGER, arms TEXT NOT NULL DEFAULT '',
    CHECK ((scope = 'study') = (study_id IS NOT NULL))
) STRICT;

CREATE TABLE push_hosts (
    host TEXT PRIMARY KEY,
    refusals INTEGER NOT NULL DEFAULT 0,
    last_status INTEGER NOT NULL,
    paused_until INTEGER,
    stopped_at INTEGER
) STRICT;

CREATE TABLE push_messages (
    id TEXT PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('assignment', 'prompt', 'change', 'test')),
    subject TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    next_try_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    accepted_at INTEGER,
    given_up_at INTEGER, momentary INTEGER NOT NULL DEFAULT 0,
    UNIQUE (subscription_id, kind, subject)
) STRICT;

CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY,
    credential_id TEXT NOT NULL UNIQUE REFERENCES credentials (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    host TEXT NOT NULL,
    endpoint BLOB NOT NULL,
    title BLOB,
    wants_prompts INTEGER NOT NULL CHECK (wants_prompts IN (0, 1)),
    wants_changes INTEGER NOT NULL CHECK (wants_changes IN (0, 1)),
    created_at INTEGER NOT NULL,
    last_accepted_at INTEGER,
    ended_at INTEGER
, sender TEXT) STRICT;

CREATE TABLE "quarantined_sheets" (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    contribution_id TEXT NOT NULL,
    therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
    enrolment_id TEXT REFERENCES enrolments (id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (reason IN ('unknown_version', 'contradiction', 'clock')),
    fingerprint BLOB NOT NULL,
    sheet BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    decision TEXT CHECK (decision IN ('admitted', 'discarded')),
    decided_at INTEGER,
    decided_by TEXT REFERENCES accounts (id) ON DELETE SET NULL, after_end INTEGER NOT NULL DEFAULT 0 CHECK (after_end IN (0, 1)), event_id TEXT,
    UNIQUE (account_id, fingerprint),
    CHECK ((decision IS NULL) = (decided_at IS NULL)),
    CHECK ((therapy_id IS NULL) <> (enrolment_id IS NULL))
) STRICT;

CREATE TABLE questionnaire_drafts (
    id TEXT PRIMARY KEY,
    based_on TEXT REFERENCES questionnaires (id),
    document TEXT NOT NULL,
    previous TEXT,
    revision INTEGER NOT NULL,
    changed_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
, sources TEXT) STRICT;

CREATE TABLE questionnaires (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    definition TEXT NOT NULL,
    published_at INTEGER NOT NULL, retired_at INTEGER,
    UNIQUE (key, version)
) STRICT;

CREATE TABLE recovery_codes (
    lookup BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    spent_at INTEGER
) STRICT;

CREATE TABLE removed_sessions (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    mark TEXT CHECK (mark IN ('planned', 'held', 'missed', 'cancelled')),
    noted_at INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    series_id TEXT,
    removed_at INTEGER NOT NULL
, is_shown INTEGER NOT NULL DEFAULT 0 CHECK (is_shown IN (0, 1))) STRICT;

CREATE TABLE repairs (
    what TEXT PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count >= 1),
    told_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_evidence (
    rule_id TEXT NOT NULL REFERENCES rules (id),
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    fact BLOB NOT NULL,
    PRIMARY KEY (rule_id, therapy_id, fact)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_firings (
    id TEXT PRIMARY KEY,
    rule_id TEXT NOT NULL REFERENCES rules (id),
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    record BLOB NOT NULL,
    contribution_id TEXT,
    intervention_id TEXT REFERENCES interventions (id) ON DELETE SET NULL,
    withheld INTEGER NOT NULL DEFAULT 0 CHECK (withheld IN (0, 1)),
    in_briefing INTEGER NOT NULL DEFAULT 0 CHECK (in_briefing IN (0, 1)),
    mail INTEGER NOT NULL DEFAULT 0 CHECK (mail IN (0, 1)),
    mailed_at INTEGER
) STRICT;

CREATE TABLE rule_protocols (
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    rule_id TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE,
    PRIMARY KEY (therapy_id, rule_id, protocol_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_therapies (
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    rule_id TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    PRIMARY KEY (therapy_id, rule_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    definition TEXT NOT NULL,
    texts BLOB NOT NULL,
    for_all INTEGER NOT NULL CHECK (for_all IN (0, 1)),
    enabled_at INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    retired_at INTEGER
, revision INTEGER NOT NULL DEFAULT 1, starter TEXT) STRICT;

CREATE TABLE second_factors (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret BLOB NOT NULL,
    last_step INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    made_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sent_forms (
    name TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    answer BLOB,
    sent_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session_note_drafts (
    session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    words BLOB NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, account_id)
) STRICT;

CREATE TABLE session_notes (
    session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    note BLOB,
    agenda BLOB,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, account_id)
) STRICT;

CREATE TABLE short_memory (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sound_categories (
    id TEXT PRIMARY KEY,
    title_de TEXT, title_en TEXT, title_other TEXT,
    position INTEGER NOT NULL,
    archived_at INTEGER,
    CHECK (title_de IS NOT NULL OR title_en IS NOT NULL)
) STRICT;

CREATE TABLE sound_favourites (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    sound_id TEXT NOT NULL REFERENCES sounds (id) ON DELETE CASCADE,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sound_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sound_files (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('audio', 'picture')),
    media_type TEXT NOT NULL,
    measures TEXT,
    stored_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sound_uploads (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    audio_hash TEXT NOT NULL REFERENCES sound_files (hash),
    picture_hash TEXT REFERENCES sound_files (hash),
    made_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sounds (
    id TEXT PRIMARY KEY,
    category_id TEXT NOT NULL REFERENCES sound_categories (id),
    title_de TEXT, title_en TEXT, title_other TEXT,
    credits TEXT NOT NULL,
    licence TEXT NOT NULL,
    position INTEGER NOT NULL,
    picture_hash TEXT REFERENCES sound_files (hash),
    audio_hash TEXT NOT NULL REFERENCES sound_files (hash),
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    length_ms INTEGER NOT NULL,
    sample_rate INTEGER NOT NULL,
    channels INTEGER NOT NULL,
    loudness_lufs REAL,
    true_peak_db REAL,
    gain_db REAL NOT NULL,
    loop_start INTEGER,
    loop_end INTEGER,
    made_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    published_at INTEGER,
    archived_at INTEGER,
    CHECK (title_de IS NOT NULL OR title_en IS NOT NULL),
    CHECK ((loop_start IS NULL) = (loop_end IS NULL)),
    CHECK (loop_end > loop_start OR loop_end IS NULL)
) STRICT;

CREATE TABLE spent_undos (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    title_de TEXT, title_en TEXT,
    description_de TEXT, description_en TEXT,
    text_de TEXT, text_en TEXT,
    access TEXT NOT NULL CHECK (access IN ('open', 'password', 'request')),
    password_hash TEXT,
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    is_hidden INTEGER NOT NULL CHECK (is_hidden IN (0, 1)),
    -- Finds a study that is in no list.
    code TEXT NOT NULL UNIQUE,
    is_running INTEGER NOT NULL DEFAULT 0 CHECK (is_running IN (0, 1)),
    starts_at INTEGER,
    ends_at INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    archived_at INTEGER, revision INTEGER NOT NULL DEFAULT 1, title_other TEXT, description_other TEXT, text_other TEXT, measurements TEXT NOT NULL DEFAULT '', erased_people INTEGER NOT NULL DEFAULT 0, location_reason_de TEXT, location_reason_en TEXT, location_reason_other TEXT, time_points TEXT NOT NULL DEFAULT '[]',
    CHECK (title_de IS NOT NULL OR title_en IS NOT NULL),
    CHECK (ends_at > starts_at OR ends_at IS NULL OR starts_at IS NULL),
    CHECK ((access = 'password') = (password_hash IS NOT NULL)),
    CHECK (archived_at IS NULL OR is_running = 0)
) STRICT;

CREATE TABLE study_allocation_leads (
    study_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    PRIMARY KEY (study_id, number, account_id),
    FOREIGN KEY (study_id, number) REFERENCES study_allocations (study_id, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE study_allocations (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number >= 1),
    enrolment_id TEXT REFERENCES enrolments (id) ON DELETE SET NULL,
    arm TEXT NOT NULL,
    site TEXT,
    -- Where allocation is balanced by it, and it was said.
    gender TEXT,
    sequence TEXT NOT NULL,
    place INTEGER NOT NULL CHECK (place >= 0),
    -- Of each stratum, as JSON.
    levels TEXT NOT NULL,
    -- Which of the places of one turn of all arms; only of minimisation.
    slot INTEGER,
    -- How surely it could be guessed by all that came before, in thousandths.
    guess INTEGER NOT NULL CHECK (guess BETWEEN 1 AND 1000),
    allocated_at INTEGER,
    PRIMARY KEY (study_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE "study_anchors" (
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    time_point TEXT NOT NULL,
    -- The session whose date it is: '' for a date of the participant. A session that is removed keeps its dates here.
    session_id TEXT NOT NULL DEFAULT '',
    since INTEGER NOT NULL,
    date TEXT,
    PRIMARY KEY (enrolment_id, time_point, session_id, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_consents (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version >= 1),
    text_de TEXT, text_en TEXT,
    written_at INTEGER NOT NULL, text_other TEXT, session_dates INTEGER NOT NULL DEFAULT 0 CHECK (session_dates IN (0, 1)), every_session INTEGER NOT NULL DEFAULT 0 CHECK (every_session IN (0, 1)),
    PRIMARY KEY (study_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE "study_designs" (
    study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
    allocation TEXT NOT NULL CHECK (allocation IN ('alternating', 'randomised', 'minimised')),
    -- What the therapies of each arm do, in their order.
    arms TEXT NOT NULL,
    -- The arms as JSON; NULL where their names say everything.
    arm_list TEXT,
    -- Of a cohort, or of a block; 1 for minimisation, which has neither.
    size INTEGER NOT NULL CHECK (size >= 1),
    strata TEXT NOT NULL DEFAULT '',
    sample_size INTEGER NOT NULL CHECK (sample_size >= 2),
    -- What chance is drawn from.
    seed INTEGER NOT NULL,
    -- Told with the seed, so that nobody finds it by trying; NULL for designs of before, which committed themselves to nothing.
    salt BLOB,
    -- SHA-256 of rule, seed and salt, and the version of the rule, as they were told with the first participant at the latest.
    commitment TEXT,
    rule_version INTEGER NOT NULL DEFAULT 1,
    -- From then on the seed may be told, and nobody comes in.
    closed_at INTEGER,
    closed_by_archiving INTEGER NOT NULL DEFAULT 0 CHECK (closed_by_archiving IN (0, 1)),
    changed_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
, allocated_at TEXT NOT NULL DEFAULT 'enrolment'
    CHECK (allocated_at IN ('enrolment', 'baseline')), masked_labels TEXT) STRICT;

CREATE TABLE study_events (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    item_id TEXT NOT NULL REFERENCES study_questionnaires (id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL,
    -- NULL for a moment, and for a span that goes on.
    ended_at INTEGER CHECK (ended_at >= started_at),
    received_at INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    zone_word TEXT,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_invitations (
    lookup BLOB PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE study_leads (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, masked INTEGER NOT NULL DEFAULT 0 CHECK (masked IN (0, 1)),
    PRIMARY KEY (study_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_offers (
    therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    offered_at INTEGER NOT NULL
, declined_at INTEGER) STRICT, WITHOUT ROWID;

CREATE TABLE study_outcomes (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
    questionnaire_key TEXT NOT NULL,
    scale TEXT NOT NULL,
    -- Days after enrolment.
    day INTEGER NOT NULL CHECK (day >= 1), time_point TEXT, value TEXT CHECK (value IN ('first', 'last', 'mean')), source TEXT CHECK (source IN ('study', 'therapy')),
    PRIMARY KEY (study_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_pictures (
    study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
    media_type TEXT NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
    bytes BLOB NOT NULL,
    -- Part of the address, so that a new picture has a new one.
    version TEXT NOT NULL
) STRICT;

CREATE TABLE "study_questionnaires" (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    questionnaire_key TEXT NOT NULL,
    time_point TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL,
    is_onetime INTEGER NOT NULL CHECK (is_onetime IN (0, 1)),
    baseline TEXT CHECK (baseline IN ('required', 'recommended')),
    -- Sheets completed before that are still taken.
    deactivated_at INTEGER,
    is_schedule_changeable INTEGER NOT NULL CHECK (is_schedule_changeable IN (0, 1)),
    uses_gps INTEGER NOT NULL CHECK (uses_gps IN (0, 1)),
    uses_microphone INTEGER NOT NULL CHECK (uses_microphone IN (0, 1)),
    added_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    allows_overnight INTEGER NOT NULL DEFAULT 0 CHECK (allows_overnight IN (0, 1)), event TEXT CHECK (event IN ('moment', 'span')), arms TEXT NOT NULL DEFAULT '',
    UNIQUE (study_id, questionnaire_key, time_point)
) STRICT;

CREATE TABLE study_reminders (
    enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
    prompt_id TEXT NOT NULL,
    prompted_at INTEGER NOT NULL,
    pushed_at INTEGER,
    shown_at INTEGER,
    PRIMARY KEY (enrolment_id, prompt_id)
) STRICT;

CREATE TABLE study_requests (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (study_id, account_id, asked_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_runs (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (study_id, since),
    CHECK (until >= since)
) STRICT, WITHOUT ROWID;

CREATE TABLE "study_schedules" (
    item_id TEXT NOT NULL REFERENCES "study_questionnaires" (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    schedules TEXT NOT NULL,
    -- The window of the time point as it was then; NULL without one.
    time_window TEXT,
    PRIMARY KEY (item_id, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_sequences (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    site TEXT NOT NULL,
    taken INTEGER NOT NULL CHECK (taken >= 1),
    PRIMARY KEY (study_id, site)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_sites (
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (study_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_unmaskings (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    -- NULL once the participant is erased.
    enrolment_id TEXT REFERENCES enrolments (id) ON DELETE SET NULL,
    -- The lead; NULL once their account is gone.
    account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
    -- Sealed for the participant; NULL once they are erased.
    reason BLOB,
    unmasked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE therapies (
    id TEXT PRIMARY KEY,
    therapist_id TEXT NOT NULL REFERENCES accounts (id),
    account_id TEXT REFERENCES accounts (id),
    codename TEXT NOT NULL UNIQUE,
    wrapped_key BLOB NOT NULL,
    note BLOB,
    birth_date BLOB,
    gender TEXT CHECK (gender IN ('female', 'male', 'diverse', 'not_stated')),
    created_at INTEGER NOT NULL,
    paired_at INTEGER,
    started_on TEXT,
    ends_on TEXT,
    ended_at INTEGER,
    ended_on TEXT,
    last_activity_at INTEGER, dailies_off_at INTEGER, dailies_until TEXT, dailies_zone TEXT, arm TEXT CHECK (arm IN ('full', 'no_interventions', 'no_app')), holder_id TEXT REFERENCES accounts (id) ON DELETE SET NULL, alias BLOB, led_since INTEGER,
    CHECK ((account_id IS NULL) = (paired_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_on IS NULL))
) STRICT;

CREATE TABLE therapist_profiles (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    profile BLOB NOT NULL
) STRICT;

CREATE TABLE therapy_members (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('therapist', 'supervisor')),
    shares_words INTEGER NOT NULL DEFAULT 0 CHECK (shares_words IN (0, 1)),
    added_at INTEGER NOT NULL,
    UNIQUE (therapy_id, account_id)
) STRICT;

CREATE TABLE therapy_protocols (
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE,
    chosen INTEGER NOT NULL CHECK (chosen IN (0, 1)),
    definition TEXT NOT NULL,
    revision INTEGER NOT NULL,
    put_at INTEGER NOT NULL,
    PRIMARY KEY (therapy_id, protocol_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE therapy_sessions (
    id TEXT PRIMARY KEY,
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    mark TEXT CHECK (mark IN ('planned', 'held', 'missed', 'cancelled')),
    appointment_id TEXT,
    noted_at INTEGER NOT NULL, sequence INTEGER NOT NULL DEFAULT 0, changed_at INTEGER, series_id TEXT, is_shown INTEGER NOT NULL DEFAULT 0 CHECK (is_shown IN (0, 1)), revised_at INTEGER,
    CHECK (ends_at > starts_at)
) STRICT;

CREATE TABLE tinnitus_matches (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    matched_at INTEGER NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('like', 'slider', '2afc')),
    ear TEXT NOT NULL CHECK (ear IN ('left', 'right', 'both')),
    kind TEXT NOT NULL CHECK (kind IN ('tone', 'noise')),
    frequency_hz REAL NOT NULL CHECK (frequency_hz BETWEEN 20 AND 20000),
    level_sl_db REAL NOT NULL CHECK (level_sl_db BETWEEN -20 AND 100),
    bandwidth_octaves REAL CHECK (bandwidth_octaves BETWEEN 0.05 AND 2),
    certainty REAL NOT NULL CHECK (certainty BETWEEN 0 AND 10),
    headphones BLOB,
    device BLOB,
    run INTEGER NOT NULL CHECK (run >= 1),
    received_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE undecided_enrolments (
    enrolment_id TEXT PRIMARY KEY REFERENCES enrolments (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE unseen_mail_setting (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    hours INTEGER CHECK (hours BETWEEN 1 AND 168)
) STRICT;

CREATE TABLE unseen_mails (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    sent_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE vaults (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    ciphertext BLOB,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE wearable_cursors (
    account_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    stream TEXT NOT NULL,
    until INTEGER NOT NULL, last_day TEXT, swept_on TEXT,
    PRIMARY KEY (account_id, provider, stream),
    FOREIGN KEY (account_id, provider) REFERENCES wearable_links (account_id, provider) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE wearable_links (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'needs_consent')),
    tokens BLOB,
    scopes TEXT NOT NULL,
    access_until INTEGER NOT NULL,
    consent_until INTEGER,
    version INTEGER NOT NULL CHECK (version >= 1),
    renewing_until INTEGER,
    user_lookup BLOB,
    linked_at INTEGER NOT NULL,
    last_pull_at INTEGER,
    tried_at INTEGER,
    next_pull_at INTEGER NOT NULL,
    rest_until INTEGER,
    failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    problem TEXT,
    PRIMARY KEY (account_id, provider),
    CHECK ((tokens IS NULL) = (state = 'needs_consent'))
) STRICT, WITHOUT ROWID;

CREATE TABLE wearable_quotas (
    provider TEXT NOT NULL,
    holder TEXT NOT NULL,
    hour INTEGER NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (provider, holder, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE wearable_requests (
    state BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    credential_id TEXT NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    by_browser INTEGER NOT NULL CHECK (by_browser IN (0, 1)),
    verifier BLOB NOT NULL,
    code BLOB,
    asked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE wearable_rests (
    provider TEXT NOT NULL,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (provider, holder)
) STRICT, WITHOUT ROWID;

CREATE TABLE wearable_sleeps (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    sleep_id TEXT NOT NULL,
    PRIMARY KEY (account_id, provider, sleep_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE welcome_dismissals (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    dismissed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE withheld_words (
    therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    note BLOB,
    questions BLOB,
    withheld_at INTEGER NOT NULL, alias BLOB,
    PRIMARY KEY (therapy_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE zone_data (
    number INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    data TEXT NOT NULL,
    read_at INTEGER NOT NULL,
    is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
    settled_at INTEGER,
    moved INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;

CREATE TRIGGER enrolment_consents_no_edit BEFORE UPDATE ON enrolment_consents
BEGIN SELECT RAISE(ABORT, 'what was agreed to never changes'); END;

CREATE TRIGGER info_pages_no_edit BEFORE UPDATE OF page, language, version, title, body, published_at ON info_pages
BEGIN SELECT RAISE(ABORT, 'a published page never changes'); END;

CREATE TRIGGER questionnaires_no_edit
BEFORE UPDATE OF id, key, version, definition, published_at ON questionnaires
BEGIN SELECT RAISE(ABORT, 'a published questionnaire never changes'); END;

CREATE TRIGGER study_consents_no_edit BEFORE UPDATE ON study_consents
BEGIN SELECT RAISE(ABORT, 'a consent text never changes'); END;

