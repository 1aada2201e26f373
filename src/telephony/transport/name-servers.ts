import { lookup, Resolver as NameServers } from 'node:dns/promises';
import type { Resolver } from './resolve.ts';

const servers = new NameServers({ timeout: 2000, tries: 2 });

/**
 * Asks the name servers without the system's resolver. That one occupies one of the process's few I/O threads until it gives up, so that
 * a customer's names that nobody answers for would stop everything else.
 */
export const nameServers: Resolver = {
  srv: (name) => servers.resolveSrv(name),
  async addresses(name) {
    const answers = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const unanswered = answers.find((answer) => answer.status === 'rejected' && isUnanswered(answer.reason));
    if (unanswered) throw new Error('the name servers do not answer');
    // The name servers answer quickly, so the system's resolver does, too. It also knows the names of /etc/hosts.
    return (await lookup(name, { all: true })).map(({ address }) => address);
  },
};

const isUnanswered = (error: unknown): boolean =>
  ['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
