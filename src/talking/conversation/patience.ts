/** How long nobody speaks, and what the agent does then. Instants are milliseconds of one clock. */
export type Patience = {
  userSpeaks(): void;
  userSpoke(nowMs: number): void;
  held(isHeld: boolean, nowMs: number): void;
  /** `busyUntilMs`: the agent speaks, or is about to, at least until then. Returns what is due now. */
  look(nowMs: number, busyUntilMs: number): 'nothing' | 'remind' | 'hang-up';
};

const maxReminders = 2;

export type PatienceTimes = { reminderTriggerMs: number; silenceTimeoutMs: number };

export function createPatience({ reminderTriggerMs, silenceTimeoutMs }: PatienceTimes, answeredMs: number): Patience {
  let userHeardMs = answeredMs;
  let lastSoundMs = answeredMs;
  let isUserSpeaking = false;
  let heldMs: number | undefined;
  let reminders = 0;

  return {
    userSpeaks() {
      isUserSpeaking = true;
      reminders = 0;
    },
    userSpoke(nowMs) {
      isUserSpeaking = false;
      reminders = 0;
      userHeardMs = nowMs;
      lastSoundMs = Math.max(lastSoundMs, nowMs);
    },
    held(isHeld, nowMs) {
      if (isHeld) heldMs ??= nowMs;
      else if (heldMs !== undefined) {
        userHeardMs += nowMs - heldMs;
        lastSoundMs += nowMs - heldMs;
        heldMs = undefined;
      }
    },
    look(nowMs, busyUntilMs) {
      if (heldMs !== undefined) return 'nothing';
      if (busyUntilMs > nowMs) lastSoundMs = Math.max(lastSoundMs, busyUntilMs);
      if (isUserSpeaking || busyUntilMs > nowMs) return 'nothing';
      if (nowMs - userHeardMs >= silenceTimeoutMs) return 'hang-up';
      if (reminders >= maxReminders || nowMs - lastSoundMs < reminderTriggerMs) return 'nothing';
      reminders += 1;
      lastSoundMs = nowMs;
      return 'remind';
    },
  };
}
