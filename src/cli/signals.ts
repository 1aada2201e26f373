/**
 * Resolves when SIGTERM or SIGINT came and `stop` is done; a second signal ends the process at once (contract, section 3).
 */
export function untilStopped(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const onSignal = (): void => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(resolve, reject);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
