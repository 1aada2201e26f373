import type { Command } from './command.ts';

type Help = { flags: Readonly<Record<string, string>>; example: string };

const settings = {
  '--config FILE': 'YAML file with settings; else the one that PARLEY_CONFIG names.',
  '--set PATH=VALUE': 'One setting, for example --set http.port=80. May be repeated; overrides variables and the file.',
};
const data = { '--data DIR': 'Data directory; else PARLEY_DATA, the setting data, or ./data.' };
const org = { '--org ID': 'Organization, by its id (orgs list); without it the first one, or all in a list.' };
const remote = {
  '--url SERVER': 'A server elsewhere, by its address; without it, the one that runs on the data directory.',
  '--key KEY': 'API key for --url, with the role member or admin.',
};
const json = { '--json': 'Print JSON for machines.' };
const role = {
  '--role ROLE':
    'admin (everything), member (all but keys, people and settings of the organization) or viewer (reads).',
};

/** Every flag that a command's usage shows, with its meaning, and a command line that works. */
const helpOf: Readonly<Record<string, Help>> = {
  serve: {
    flags: {
      ...settings,
      ...data,
      '--host ADDRESS': 'Address to listen on (http.host); 0.0.0.0 for all interfaces.',
      '--port PORT': 'Port to listen on (http.port); 0 takes a free one.',
      '--ephemeral': 'Keep everything in a temporary directory that is removed at the end.',
      '--test-clock TIME':
        'With --ephemeral: time stands still, at TIME or now, until /api/v1/test-clock/advance moves it.',
      '--seed N': 'With --ephemeral: ids and draws depend on N and the order of requests alone.',
      '--ready-file FILE': 'Write URL, key and token to FILE once the server is ready.',
    },
    example: 'parley serve --data /var/lib/parley --config /etc/parley.yaml',
  },
  demo: {
    flags: {
      '--port PORT': 'Port to listen on; without it a free one.',
      '--contacts N': 'How many invented contacts are called.',
      '--sip ADDRESS': 'Ring a softphone at this SIP address instead.',
      '--set PATH=VALUE': settings['--set PATH=VALUE'],
      '--exit': 'Stop at the end; exit code 1 when a check failed.',
    },
    example: 'parley demo --exit',
  },
  config: { flags: settings, example: 'parley config print --config /etc/parley.yaml' },
  orgs: { flags: { ...json, ...data }, example: "parley orgs create 'Acme Ltd'" },
  users: {
    flags: {
      ...role,
      '--password-stdin': 'Read the password from standard input, where neither the shell nor other users see it.',
      ...org,
      ...json,
      ...data,
    },
    example: 'parley users link ada@example.com',
  },
  keys: {
    flags: { '--name NAME': 'What the key is for.', ...role, ...org, ...json, ...data },
    example: 'parley keys create --name crm --role member',
  },
  listen: {
    flags: {
      '--forward URL':
        'Send each event there, with the headers of a delivery, one at a time; up to six tries, 1 s apart.',
      '--forward-anywhere': 'Let --forward name another machine than this one.',
      ...remote,
      '--agent ID': 'Only events of this agent.',
      '--type TYPE': 'Only events of this type, such as call.completed.',
      '--after EVENT': 'Begin behind this event, which is at most a day old; without it, with the next event.',
      '--secret': 'Print the secret that signs the events first; without --forward, only that.',
      '--json': 'Print a line of JSON for each event.',
      ...org,
      ...data,
    },
    example: 'parley listen --forward http://127.0.0.1:3000/hooks',
  },
  trigger: {
    flags: {
      '--agent ID': 'The agent whose webhooks receive the event; needed where there are several agents.',
      '--outcome OUTCOME': 'How the call of the sample ended: completed, failed, no_answer, busy or voicemail.',
      '--data FILE': "JSON object with fields that replace the sample's. A directory is the data directory.",
      ...remote,
      ...org,
    },
    example: 'parley trigger call.completed --outcome voicemail',
  },
  secrets: {
    flags: { '--wait 10m': 'How long to wait until all nodes of a PostgreSQL database know the new key.', ...data },
    example: 'parley secrets rotate --data /var/lib/parley',
  },
  backup: {
    flags: { '--recordings': 'Also copy the recordings of calls, to FILE.recordings.', ...data },
    example: 'parley backup /var/backups/parley/today.db',
  },
  restore: {
    flags: {
      '--keep-running':
        'Leave active campaigns running; without it they are paused, since people may have opted out after the backup.',
      '--check':
        'Only examine a copy: size, counts, and which access would be valid again. Exit code 1 when it could not be restored.',
      ...data,
    },
    example: 'parley restore /var/backups/parley/today.db --check',
  },
  store: {
    flags: {
      '--check': 'migrate: change nothing, only say what there is to do, with exit code 1.',
      '--to URL': 'copy: postgres://…, an empty database; or sqlite:DIR, a data directory without a database.',
      '--from URL': 'copy: the database to move; without it, that of the data directory.',
      ...data,
    },
    example: 'parley store copy --data /var/lib/parley --to postgres://parley@db.example.com/parley',
  },
  doctor: {
    flags: { ...json, '--full': 'Check every row, also of a large database.', ...data },
    example: 'parley doctor --config /etc/parley.yaml',
  },
  service: {
    flags: {
      '--user NAME': 'User that the service runs as; made if it is missing.',
      '--data DIR': 'Data directory of the service; without it /var/lib/parley.',
      '--config FILE': 'YAML file with settings that the service reads.',
    },
    example: 'sudo parley service install --config /etc/parley.yaml',
  },
  routes: { flags: json, example: 'parley routes --json' },
  openapi: { flags: {}, example: 'parley openapi > openapi.json' },
  version: { flags: json, example: 'parley version --json' },
  completion: { flags: {}, example: 'source <(parley completion bash)' },
};

export const usageOf = ({ name, usage }: Command): string => `Usage: parley ${name} ${usage}`.trimEnd();

/** The flags of a command as they are typed, without their values. */
export const flagsOf = (name: string): string[] =>
  Object.keys(helpOf[name]?.flags ?? {}).map((flag) => flag.split(' ')[0]!);

/** Usage, meaning, flags and example of one command. */
export function commandHelp(command: Command): string {
  const { flags = {}, example } = helpOf[command.name] ?? {};
  const width = Math.max(0, ...Object.keys(flags).map((flag) => flag.length));
  const lines = Object.entries(flags).map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`);
  return [
    usageOf(command),
    command.summary,
    ...(lines.length === 0 ? [] : ['', 'Flags:', ...lines]),
    ...(example === undefined ? [] : ['', 'Example:', `  ${example}`]),
  ].join('\n');
}
