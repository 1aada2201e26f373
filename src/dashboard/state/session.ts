import { computed, signal } from '@preact/signals';
import { api, connectClient, createSession, deleteSession, getSession, getSystem, type Session } from '../client.ts';
import { hearTime, setTestClock } from './clock.ts';
import { navigate } from './location.ts';

/** The person who is logged in: undefined until the server has answered, null without a session. */
export const session = signal<Session | null | undefined>(undefined);

/** Set while a session has ended under an open page: the log-in dialog is shown over it. */
export const expired = signal(false);

/** Seconds for which the server asked to wait, while a request waits. */
export const waitingSec = signal<number | undefined>(undefined);

export type System = Awaited<ReturnType<typeof getSystem>>['data'];
export const system = signal<System | undefined>(undefined);

const role = computed(() => session.value?.user.role);

/** Whether the person may change things; viewers only read. */
export const isMember = computed(() => role.value === 'member' || role.value === 'admin');
export const isAdmin = computed(() => role.value === 'admin');

let loggedInAgain: PromiseWithResolvers<void> | undefined;

connectClient({
  logInAgain() {
    expired.value = true;
    return (loggedInAgain ??= Promise.withResolvers<void>()).promise;
  },
  waiting(seconds) {
    waitingSec.value = seconds;
    setTimeout(() => void (waitingSec.value = undefined), seconds * 1000);
  },
});

/** Asks the server who is logged in. */
export async function loadSession(): Promise<void> {
  const { data } = await getSession(api);
  // Before the page is shown: what the banner says of the system would move it about later.
  if (data) await loadSystem();
  session.value = data;
}

export async function loadSystem(): Promise<void> {
  const { data } = await getSystem(api);
  system.value = data;
  setTestClock(data.clock.test);
  hearTime(data.clock.now);
}

/** Logs in. Over an open page, its waiting requests are then sent again; another person gets a fresh page instead. */
export async function logIn(credentials: { email: string; password: string }): Promise<void> {
  const before = session.value;
  const { data } = await createSession(api, { body: credentials });
  if (before && before.user.id !== data.user.id) return location.reload();
  await loadSystem(); // before the page is shown, which asks for a span of the server's time
  session.value = data;
  expired.value = false;
  loggedInAgain?.resolve();
  loggedInAgain = undefined;
}

export async function logOut(): Promise<void> {
  await deleteSession(api);
  session.value = null;
  await navigate('/login');
}
