/**
 * Resolves when SIGTERM or SIGINT comes; a second one ends the process at once (contract, section 3). Called before a server is
 * started, so that a signal that comes early finds it listening: the server is then stopped as soon as it stands.
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
