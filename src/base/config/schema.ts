import { Type } from '../typebox.ts';
import type { Static } from '../typebox.ts';
import { DEMO_MODELS } from './demo-catalog.ts';
import {
  boolean,
  hoursOrNull,
  integer,
  integerOrNull,
  milliseconds,
  number,
  oneOf,
  section,
  text,
  textOrNull,
} from './kinds.ts';

const voice = section({
  id: Type.String({
    minLength: 1,
    description: 'The id that an agent names as its voiceId; unique in the whole catalog.',
  }),
  voice_name: Type.String({ minLength: 1, description: 'Name for people.' }),
  provider_voice: Type.Optional(
    Type.String({ minLength: 1, description: 'What the speech services call it; voice_name if left out.' }),
  ),
  gender: Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description: 'Free text.' }),
  language: Type.String({ format: 'language', description: 'Language that the voice speaks.' }),
  recording_url: Type.Union([Type.String({ format: 'https_url' }), Type.Null()], {
    default: null,
    description: 'Sample of the voice.',
  }),
  img_url: Type.Union([Type.String({ format: 'https_url' }), Type.Null()], {
    default: null,
    description: 'Picture of the voice.',
  }),
});

const model = section({
  id: Type.Optional(Type.String({ format: 'uuid', description: 'Made by parley when it is left out.' })),
  llm_model: Type.String({ minLength: 1, description: 'The name that an agent gives as its model; unique.' }),
  provider_model: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What the speech services call it; llm_model if left out, and after speech.llm.model in a cascade.',
    }),
  ),
  speech: Type.Optional(
    Type.Enum(['realtime', 'cascade', 'echo'], { description: 'Engine of this model instead of speech.engine.' }),
  ),
  description: Type.String({ description: 'Description for people.' }),
  price: Type.Number({ minimum: 0, description: 'Price in your billing units.' }),
  is_active: Type.Boolean({ default: true, description: 'False: not offered for new agents.' }),
  voices: Type.Array(voice, { description: 'Voices that agents with this model may use.' }),
});

const inventoryNumber = section({
  phone: Type.String({ format: 'e164', description: 'The phone number; unique.' }),
  name: Type.Optional(Type.String({ minLength: 1, description: 'Name for people.' })),
  termination_uri: Type.Optional(Type.String({ minLength: 1, description: 'SIP URI that calls go out through.' })),
  monthly_price: Type.Optional(Type.Number({ minimum: 0, description: 'Price per month in your billing units.' })),
});

/**
 * Every setting except those of the carrier drivers. Add a setting here and in config.example.yaml: its variable, its `--set` path, its
 * error messages, and its lines in `config print` and docs/settings.md follow from this schema. The keyword `distinct` names fields whose
 * values must be unique in the whole list.
 */
export const ConfigSchema = section({
  data: text('./data', 'Directory for the database, the secrets and the control socket.'),
  store: section({
    url: textOrNull(
      'PostgreSQL database, postgres://user@host:port/database?sslmode=…, which several nodes may share; null keeps the data in SQLite in the data directory.',
      { format: 'store_url' },
    ),
    password: textOrNull('Password for the PostgreSQL server.', { secret: true }),
    ca_file: textOrNull("PEM file of the authority that signed the PostgreSQL server's certificate."),
    max_connections: integer(
      10,
      'Connections to PostgreSQL for the work of this node, of which 2 are for long reads; it opens 2 more at most.',
      { minimum: 4 },
    ),
    prepared_statements: boolean(
      true,
      'Prepares statements once per connection; false behind a pooler that does not keep them apart.',
    ),
    listen_url: textOrNull(
      'Direct address of the database for LISTEN where store.url is a pooler; none: nodes look every second; without effect with nodes.mode standby, in which no node listens.',
      { format: 'listen_url' },
    ),
    connect_timeout_ms: milliseconds(5000, 'Time-out for connecting to PostgreSQL, in milliseconds.'),
    statement_timeout_ms: milliseconds(30_000, 'Time-out for one statement on PostgreSQL, in milliseconds.'),
    migrate: oneOf(
      ['auto', 'never'],
      'auto',
      'How the schema of a PostgreSQL database comes up to date: auto, by a start; never, by parley store migrate alone, and a start on an older one fails.',
    ),
    any_server: boolean(false, 'Tries a server that is not PostgreSQL, at your own risk.'),
    moved_anyway: boolean(
      false,
      'Serves an installation that was moved to another database, from where it was before.',
    ),
  }),
  secrets: section({
    file: textOrNull(
      'File with the keys that encrypt what is stored, the same on every node; null: secrets.json in the data directory.',
    ),
  }),
  nodes: section({
    mode: oneOf(
      ['standby', 'equal'],
      'standby',
      'How the nodes of a PostgreSQL database work: standby, one of them is active; equal is not built yet.',
    ),
  }),
  node: section({
    name: textOrNull('Name of this node, for people; null: the name of the machine.'),
  }),
  http: section({
    host: text('127.0.0.1', 'Address to listen on; 0.0.0.0 or :: listens on every interface.'),
    port: integer(8080, 'Port to listen on; 0 picks a free one.', { minimum: 0, maximum: 65_535 }),
    public_url: textOrNull('URL under which others reach this server; null derives it from host and port.', {
      format: 'http_url',
    }),
    body_limits: section({
      json: integer(1_048_576, 'Largest JSON request body, in bytes.'),
      large: integer(16_777_216, 'Largest body of add-sources, document upsert and contact list requests, in bytes.'),
      file: integer(26_214_400, 'Largest uploaded file, in bytes; a CSV of an import may be larger.'),
      import: integer(536_870_912, 'Largest CSV file of contacts or of numbers not to call, in bytes.'),
      in_memory: integer(
        67_108_864,
        'All JSON bodies held in memory at once, in bytes; one organization gets at most half, the next request is answered 503.',
      ),
    }),
    rate_limit: section({
      per_second: number(
        100,
        'Requests per second that one key or person may keep up, and one address where no key is needed; 0 switches the limit off.',
        { minimum: 0 },
      ),
      burst: integer(200, 'Requests that may be sent at once before the rate per second applies.'),
    }),
    trusted_proxies: Type.Array(Type.String({ format: 'cidr' }), {
      default: [],
      description:
        "Networks (CIDR) of reverse proxies whose X-Forwarded-For names the client's address, such as 127.0.0.1/32.",
    }),
    max_connections_per_address: integer(
      1000,
      'Connections that one address may have open, unless it is in http.trusted_proxies; further ones are closed at once.',
    ),
    cors: section({
      origins: Type.Array(Type.String({ format: 'origin' }), {
        default: [],
        description: 'Origins of web pages that may call the API from a browser.',
      }),
    }),
  }),
  tls: section({
    cert_file: textOrNull(
      'File with the certificate and its chain (PEM) for HTTPS on http.port, read again when it changes; null serves plain HTTP.',
    ),
    key_file: textOrNull('File with the private key of tls.cert_file (PEM, without a passphrase).'),
    min_version: oneOf(['1.2', '1.3'], '1.2', 'Oldest version of TLS that clients may use: 1.2 or 1.3.'),
    redirect_port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
      default: null,
      description: 'Port whose plain HTTP requests are sent to https (308), usually 80; null opens none.',
    }),
  }),
  auth: section({
    jwks_url: textOrNull(
      'URL of the key set (JWKS) of another token issuer; requires auth.issuer and auth.audience as well.',
      { format: 'jwks_url' },
    ),
    issuer: textOrNull('The "iss" claim that tokens of the other issuer must have.'),
    audience: textOrNull('The "aud" claim that tokens of the other issuer must have.'),
    token_ttl_sec: integer(3600, 'Lifetime of the access tokens that this server issues, in seconds.'),
    session: section({
      idle_sec: integer(43_200, 'Time without a request after which a session of a browser ends, in seconds.'),
      max_sec: integer(604_800, 'Time after the log-in at which a session of a browser ends in any case, in seconds.'),
    }),
  }),
  log: section({
    level: oneOf(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
      'Least severe level that is logged: trace, debug, info, warn, error, fatal or silent.',
    ),
    format: oneOf(
      ['auto', 'json', 'text'],
      'auto',
      'Format of log lines: json for machines, text for people; auto is text on a terminal and json elsewhere.',
    ),
  }),
  limits: section({
    organization: section({
      max_concurrent: integer(1000, 'Calls that one organization may have in progress at once.'),
      max_cps: integer(100, 'Calls that one organization may start per second.'),
    }),
    contact: section({
      max_per_day: integerOrNull(
        'Calls to one phone number on a calendar day of the called person, over all campaigns and single calls of an organization; null: no limit.',
      ),
      max_per_week: integerOrNull('The same in a calendar week, which begins on Monday; null: no limit.'),
      min_gap_min: integerOrNull(
        'Time from the end of a call to the start of the next one to the same phone number, in minutes; null: none.',
      ),
    }),
    guard_hours: hoursOrNull(
      'Hours of the called person outside of which no campaign calls, such as {start: "08:00", end: "21:00", days: [1, 2, 3, 4, 5, 6]} (1 is Monday); null: only the window of each campaign counts.',
    ),
  }),
  // The carrier drivers add their own settings here and replace `driver` by a choice of their names.
  carrier: section({ driver: text('simulated', 'The carrier that places calls.') }),
  calendar: section({
    base_url: text('https://api.cal.com', 'Base URL of the Cal.com API, or of a self-hosted one, without /v2.', {
      format: 'http_url',
    }),
    timeout_ms: milliseconds(
      10_000,
      'Time-out for a request to the calendar provider, retries included, in milliseconds.',
    ),
    versions: section({
      event_types: text('2024-06-14', 'The cal-api-version header of requests for event types.'),
      slots: text('2024-09-04', 'The cal-api-version header of requests for slots.'),
      bookings: text('2024-08-13', 'The cal-api-version header of requests for bookings.'),
    }),
  }),
  embeddings: section({
    url: textOrNull(
      'Full URL of an OpenAI-compatible embeddings endpoint; null searches knowledge bases by words only.',
      { format: 'http_url' },
    ),
    model: textOrNull('Model that the embeddings endpoint uses; changing it embeds all text again.'),
    api_key: textOrNull('API key for the embeddings endpoint, sent as a bearer token.', {
      secret: true,
      format: 'header_value',
    }),
    dimensions: integerOrNull('Dimensions to request for each vector; null leaves the choice to the model.'),
    batch_size: integer(64, 'Passages in one request to the embeddings endpoint.'),
    timeout_ms: milliseconds(30_000, 'Time-out for embedding a batch of passages, in milliseconds.'),
    query_timeout_ms: milliseconds(
      400,
      'Time-out for embedding a question, in milliseconds; after it, the question is answered by words only.',
    ),
  }),
  calls: section({
    retention_days: integer(
      0,
      'How long ended calls and what was said in them are kept, in days, while what was counted stays; 0 keeps calls for ever.',
      { minimum: 0 },
    ),
  }),
  analysis: section({
    url: textOrNull(
      'Full URL of /chat/completions, where a model summarizes ended calls of the carrier sip; null: that of speech.llm, if it is set.',
      { format: 'http_url' },
    ),
    model: textOrNull('Model that summarizes ended calls; null names none.'),
    api_key: textOrNull('API key for the summaries, sent as a bearer token.', {
      secret: true,
      format: 'header_value',
    }),
    timeout_ms: milliseconds(
      10_000,
      'How long an ended call waits for its summary, in milliseconds; after that it ends without one.',
    ),
  }),
  recording: section({
    directory: textOrNull('Directory of the recordings of calls; null: recordings in the data directory.'),
    retention_days: integer(
      30,
      'How long recordings are kept after the end of their calls, in days; 0 keeps them for ever.',
      {
        minimum: 0,
      },
    ),
  }),
  contacts: section({
    default_country: textOrNull(
      'Country (two letters such as DE) of phone numbers that an imported file writes without one; null rejects such rows.',
      { format: 'country' },
    ),
    retention_days: integer(
      0,
      'How long contacts without a campaign, call, note or change are kept, in days; 0 keeps them for ever.',
      { minimum: 0 },
    ),
  }),
  webhooks: section({
    timeout_ms: milliseconds(30_000, 'Time-out for one delivery attempt, in milliseconds.'),
    allow_http_loopback: boolean(
      false,
      'Allows webhook URLs at http://127.0.0.1, http://[::1] and http://localhost, for tests; https ones need outbound.allow_networks.',
    ),
    max_in_flight: integer(
      256,
      'Deliveries in flight at once to all endpoints together, of which one organization gets at most two thirds.',
    ),
    max_in_flight_per_endpoint: integer(
      8,
      'Deliveries in flight at once to one endpoint, begun in the order of events and never two about one contact; 1 keeps strict order.',
    ),
    retention_days: integer(30, 'How long delivered payloads and their attempts are kept, in days.'),
  }),
  knowledge: section({
    max_texts: integer(50, 'Texts in one add-sources request.'),
    max_urls: integer(50, 'URLs in one add-sources request.'),
    max_text_bytes: integer(1_048_576, 'Largest text in an add-sources request, in bytes of UTF-8.'),
    refresh_hours: integer(12, 'Hours between two crawls of a site whose knowledge base has enable_auto_refresh.'),
    crawl: section({
      max_pages: integer(100, 'Pages that are kept of one site.', { minimum: 1, maximum: 10_000 }),
      max_depth: integer(2, 'How many links deep a site is crawled; the start page has depth 0.', { minimum: 0 }),
      timeout_ms: milliseconds(10_000, 'Time-out for fetching one page, in milliseconds.'),
      max_page_bytes: integer(5_242_880, 'Largest page, after decompression, in bytes.'),
      requests_per_host: integer(2, 'Requests to one host at the same time.'),
      max_delay_ms: integer(10_000, 'Longest Crawl-delay of a robots.txt that is respected, in milliseconds.', {
        minimum: 0,
      }),
    }),
    extraction: section({
      workers: integer(
        3,
        'Documents that are read at the same time, each on a thread of its own; one organization uses at most two thirds of the threads.',
        {
          minimum: 1,
          maximum: 64,
        },
      ),
      memory_mb: integer(256, 'Memory limit for reading one document, in MiB.', { minimum: 32, maximum: 4096 }),
      timeout_ms: milliseconds(60_000, 'Time-out for reading one document, in milliseconds.'),
      max_text_chars: integer(10_000_000, 'Longest text that is taken from one document, in characters.'),
    }),
  }),
  outbound: section({
    allow_networks: Type.Array(Type.String({ format: 'cidr' }), {
      default: [],
      description:
        'Non-public networks (CIDR) that webhooks and fetched pages may reach, such as 10.0.0.0/8, or 127.0.0.0/8 for this machine.',
    }),
    ca_file: textOrNull('PEM file of private certificate authorities to trust in addition to the public ones.'),
  }),
  email: section({
    host: textOrNull('SMTP server for notices; null sends no e-mail.'),
    port: integer(587, 'Port of the SMTP server.', { minimum: 1, maximum: 65_535 }),
    secure: boolean(false, 'Starts with TLS (usual on port 465) instead of STARTTLS.'),
    require_tls: boolean(
      true,
      'Sends nothing without TLS, unless the server is on this machine (localhost, 127.0.0.1 or ::1).',
    ),
    user: textOrNull('User name for the SMTP server.'),
    password: textOrNull('Password for the SMTP server.', { secret: true }),
    from: textOrNull('Sender of notices, such as "Parley <parley@example.com>".'),
  }),
  audit: section({
    retention_days: integer(365, 'How long entries of the audit log are kept, in days.'),
  }),
  backup: section({
    schedule: textOrNull(
      'When the server backs itself up, as a cron pattern of five fields in the time zone of the server, such as 0 3 * * *; null: never.',
      { format: 'cron' },
    ),
    dir: text(
      'backups',
      'Directory for backups by schedule, for this installation alone; a relative path is inside the data directory.',
    ),
    keep: integer(7, 'Backups by schedule that are kept; older ones are deleted after a new one has been checked.'),
    secrets: boolean(true, 'Writes secrets.json beside each backup by schedule; without it, keep a copy elsewhere.'),
  }),
  metrics: section({
    token: textOrNull('Bearer token that lets a scraper read /metrics without an admin key.', { secret: true }),
  }),
  catalog: section({
    models: Type.Array(model, {
      default: DEMO_MODELS,
      distinct: ['id', 'llm_model', 'voices.id'],
      description: 'Models and their voices that agents may use; a model with is_active false takes no new agents.',
    }),
  }),
  numbers: section({
    inventory: Type.Array(inventoryNumber, {
      default: [],
      distinct: ['phone'],
      description: 'Phone numbers on offer for purchase.',
    }),
  }),
});

/** The settings above with their values, nested as in YAML and deeply frozen. A carrier driver reads its own settings by path. */
export type Config = Static<typeof ConfigSchema>;
