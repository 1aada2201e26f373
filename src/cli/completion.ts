import { type Command, UsageError } from './command.ts';
import { flagsOf } from './help.ts';
import { readArguments } from './settings.ts';

type Word = { name: string; words: string[] };

const shells: Readonly<Record<string, (commands: readonly Word[]) => string>> = {
  bash: (commands) => `_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _parley parley`,

  zsh: (commands) => `#compdef parley
_parley() {
  if (( CURRENT == 2 )); then
    compadd -- ${commands.map(({ name }) => name).join(' ')}
    return
  fi
  case "$words[2]" in
${commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _parley parley`,

  fish: (commands) =>
    commands
      .flatMap(({ name, words }) => [
        `complete -c parley -n __fish_use_subcommand -a ${name}`,
        ...words.map((word) => {
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
          return `complete -c parley -n '__fish_seen_subcommand_from ${name}' ${what}`;
        }),
      ])
      .join('\n'),
};

/** Subcommands are the lower-case words of a usage that begin an alternative: `create NAME | list`. */
const subcommandsOf = ({ usage }: Command): string[] =>
  usage
    .replace(/\s*\[--data DIR\]$/, '')
    .split(/\s*\|\s*/)
    .flatMap((part) => /^([a-z][a-z-]+)(?= |$)/.exec(part)?.[1] ?? []);

/** Prints a script for a shell. `commands` is a function because this command is one of them. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'Print a script that lets a shell complete commands and flags.',
  run(args) {
    const [shell = ''] = readArguments(args, ['bash, zsh or fish']).words;
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (!script) throw new UsageError(`"${shell}" is not one of bash, zsh and fish`);
    const words = commands().map((command) => ({
      name: command.name,
      words: [...subcommandsOf(command), ...flagsOf(command.name), '--help'],
    }));
    console.log(script(words));
    return Promise.resolve(0);
  },
});
