import { Type } from '../typebox.ts';
import type { Static } from '../typebox.ts';
import { DEMO_MODELS } from './demo-catalog.ts';
import { choice, decimal, section, text, textOrNull, TIMER_MAX_MS, whole, wholeOrNull, yesNo } from './kinds.ts';

/** Fields of list entries have no description of their own: the list's sentence is the comment in the example file. */
const voice = section({
  id: Type.String({ minLength: 1 }),
  voice_name: Type.String({ minLength: 1 }),
  gender: Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null }),
  language: Type.String({ format: 'language' }),
  recording_url: Type.Union([Type.String({ format: 'https_url' }), Type.Null()], { default: null }),
  img_url: Type.Union([Type.String({ format: 'https_url' }), Type.Null()], { default: null }),
});

const model = section({
  id: Type.Optional(Type.String({ format: 'uuid' })),
  llm_model: Type.String({ minLength: 1 }),
  description: Type.String(),
  price: Type.Number({ minimum: 0 }),
  is_active: Type.Boolean({ default: true }),
  voices: Type.Array(voice),
});

const inventoryNumber = section({
  phone: Type.String({ format: 'e164' }),
  name: Type.Optional(Type.String({ minLength: 1 })),
  termination_uri: Type.Optional(Type.String({ minLength: 1 })),
  monthly_price: Type.Optional(Type.Number({ minimum: 0 })),
});

/**
 * Every setting of parley (contract, section 3) but those of the carrier drivers. A new one is a line here and a line in config.example.yaml; its
 * variable, its `--set` path, its faults and its line in `config print` follow from it. Keys are as in YAML.
 * `distinct` names fields whose values may stand only once in the whole list.
 */
export const ConfigSchema = section({
  data: text('./data', 'Directory that holds the database, the secrets and the control socket.'),
  http: section({
    host: text('127.0.0.1', 'Address to listen on; 0.0.0.0 or :: listens on all.'),
    port: whole(8080, 'Port to listen on; 0 takes any free one.', { minimum: 0, maximum: 65_535 }),
    public_url: textOrNull('Address under which others reach this server; null derives it from host and port.', {
      format: 'http_url',
    }),
    body_limits: section({
      json: whole(1_048_576, 'Largest JSON request body, in bytes.'),
      large: whole(16_777_216, 'Largest body for add-sources, document upsert and contact lists, in bytes.'),
      file: whole(26_214_400, 'Largest uploaded file, in bytes.'),
    }),
    rate_limit: section({
      per_second: decimal(100, 'Requests per second that a key may make in the long run; 0 switches the limit off.', {
        minimum: 0,
      }),
      burst: whole(200, 'Requests that a key may make at once before the rate per second holds.'),
    }),
    cors: section({
      origins: Type.Array(Type.String({ format: 'origin' }), {
        default: [],
        description: 'Origins of web pages that may call the API from a browser; none by default.',
      }),
    }),
  }),
  auth: section({
    jwks_url: textOrNull('Key set of another token issuer; used only together with auth.issuer and auth.audience.', {
      format: 'jwks_url',
    }),
    issuer: textOrNull('The "iss" that tokens of the other issuer must carry.'),
    audience: textOrNull('The "aud" that tokens of the other issuer must carry.'),
    token_ttl_sec: whole(3600, 'How long an access token made by this server is valid, in seconds.'),
  }),
  log: section({
    level: choice(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
      'Least severe level that is logged: trace, debug, info, warn, error, fatal or silent.',
    ),
    format: choice(['json', 'text'], 'json', 'Form of a log line: json for machines, text for people.'),
  }),
  limits: section({
    organization: section({
      max_concurrent: whole(1000, 'Calls that one organization may have running at once.'),
      max_cps: whole(100, 'Calls that one organization may start per second.'),
    }),
  }),
  // The carriers' drivers complete this section: with their names as the choice, and with their own settings.
  carrier: section({ driver: text('simulated', 'What places calls.') }),
  calendar: section({
    base_url: text('https://api.cal.com', 'Address of the Cal.com API, or of a self-hosted one, without its /v2.', {
      format: 'http_url',
    }),
    timeout_ms: whole(10_000, 'How long the calendar provider may take in all to answer a request, in milliseconds.', {
      minimum: 1,
      maximum: TIMER_MAX_MS,
    }),
    versions: section({
      event_types: text('2024-06-14', 'The cal-api-version of event types.'),
      slots: text('2024-09-04', 'The cal-api-version of slots.'),
      bookings: text('2024-08-13', 'The cal-api-version of bookings.'),
    }),
  }),
  embeddings: section({
    url: textOrNull(
      'OpenAI-compatible embeddings endpoint (the full URL); null searches knowledge bases by words alone.',
      {
        format: 'http_url',
      },
    ),
    model: textOrNull('Model that the embeddings endpoint is asked for; another one means embedding everything anew.'),
    api_key: textOrNull('Key that the embeddings endpoint wants as a bearer token.', { secret: true }),
    dimensions: wholeOrNull('Dimensions that the vectors shall have; null leaves that to the model.'),
    batch_size: whole(64, 'Passages that one request to the embeddings endpoint may have.'),
    timeout_ms: whole(30_000, 'How long the embeddings endpoint may take for a batch, in milliseconds.', {
      minimum: 1,
      maximum: TIMER_MAX_MS,
    }),
    query_timeout_ms: whole(
      400,
      'How long it may take for a question, in milliseconds; after that the question is answered by words alone.',
      { minimum: 1, maximum: TIMER_MAX_MS },
    ),
  }),
  webhooks: section({
    timeout_ms: whole(30_000, 'How long a webhook endpoint may take to answer a delivery, in milliseconds.', {
      minimum: 1,
      maximum: TIMER_MAX_MS,
    }),
    allow_http_loopback: yesNo(
      false,
      'Whether webhook URLs may be http://127.0.0.1, http://[::1] and http://localhost (for tests); https: ones need allow_networks.',
    ),
    max_in_flight: whole(256, 'Deliveries in flight at once over all endpoints.'),
    max_in_flight_per_endpoint: whole(1, 'Deliveries in flight at once to one endpoint; 1 keeps events in order.'),
    retention_days: whole(30, 'How long delivered payloads and their attempts are kept, in days.'),
  }),
  knowledge: section({
    max_texts: whole(50, 'Texts that one call of add-sources may bring.'),
    max_urls: whole(50, 'URLs that one call of add-sources may bring.'),
    max_text_bytes: whole(1_048_576, 'Largest text of a call of add-sources, in bytes of UTF-8.'),
    refresh_hours: whole(12, 'Hours between the crawls of a site whose knowledge base has enable_auto_refresh.', {
      minimum: 1,
    }),
    crawl: section({
      max_pages: whole(100, 'Pages of a site that are kept.', { minimum: 1, maximum: 10_000 }),
      max_depth: whole(2, 'Links from the start page to the last pages that are read; the start page has depth 0.', {
        minimum: 0,
      }),
      timeout_ms: whole(10_000, 'How long a page may take in all to arrive, in milliseconds.', {
        minimum: 1,
        maximum: TIMER_MAX_MS,
      }),
      max_page_bytes: whole(5_242_880, 'Largest page, after decompression, in bytes.'),
      requests_per_host: whole(2, 'Requests to one host at the same time.', { minimum: 1 }),
      max_delay_ms: whole(10_000, 'Longest Crawl-delay of a robots.txt that is kept to, in milliseconds.', {
        minimum: 0,
      }),
    }),
    extraction: section({
      workers: whole(2, 'Documents that are read at the same time, each by a thread of its own.', {
        minimum: 1,
        maximum: 64,
      }),
      memory_mb: whole(256, 'Memory that reading one document may take, in MiB.', { minimum: 32, maximum: 4096 }),
      timeout_ms: whole(60_000, 'How long reading one document may take, in milliseconds.', {
        minimum: 1,
        maximum: TIMER_MAX_MS,
      }),
      max_text_chars: whole(10_000_000, 'Longest text that one document may have, in characters.'),
    }),
  }),
  outbound: section({
    allow_networks: Type.Array(Type.String({ format: 'cidr' }), {
      default: [],
      description:
        'Non-public networks (CIDR) that webhooks and fetched pages may be in, such as 10.0.0.0/8, or 127.0.0.0/8 for this machine.',
    }),
    ca_file: textOrNull('PEM file of a private certificate authority to trust beside the public ones.'),
  }),
  email: section({
    host: textOrNull('SMTP server for notices; null sends no e-mail.'),
    port: whole(587, 'Port of the SMTP server.', { minimum: 1, maximum: 65_535 }),
    secure: yesNo(false, 'Whether TLS starts with the connection (usual on port 465) instead of by STARTTLS.'),
    user: textOrNull('User name for the SMTP server.'),
    password: textOrNull('Password for the SMTP server.', { secret: true }),
    from: textOrNull('Sender of notices, such as "Parley <parley@example.com>".'),
  }),
  audit: section({
    retention_days: whole(365, 'How long the audit log keeps who changed what, in days.'),
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
      description: 'Numbers on offer for purchase: phone, and optionally name, termination_uri and monthly_price.',
    }),
  }),
});

/** The settings above with their values, nested as in YAML and deeply frozen; a carrier driver reads its own by their path. */
export type Config = Static<typeof ConfigSchema>;
