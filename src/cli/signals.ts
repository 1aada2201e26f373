/**
 * Resolves on SIGTERM or SIGINT; a second signal exits the process immediately (docs/operations.md). Call it before starting
 * the server, so that a signal during the start is not lost: the server then stops as soon as it is up.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let received = false;
    const onSignal = (): void => {
      if (received) process.exit(1);
      received = true;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Runs `work` on each SIGHUP, one run after another. Without a handler the signal would end the process. */
export function onHangUp(work: () => Promise<void>): void {
  let last = Promise.resolve();
  process.on('SIGHUP', () => void (last = last.then(work)));
}
