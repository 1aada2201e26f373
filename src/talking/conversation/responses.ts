/** An answer that the model is asked for; without instructions it goes on with the conversation. */
export type ResponseRequest = {
  instructions?: string | undefined;
  /** After it the agent hangs up. */ isLast?: boolean;
};

type Asked = { request: ResponseRequest; eventId: string };

/** One answer at a time: the service refuses a second one while one runs, so it is asked for when that is done. */
export type Responses = {
  request(request: ResponseRequest): void;
  /** An answer has begun, asked for or not. */
  created(): void;
  /** The answer is over; returns what had been asked for, if it was. The next one is asked for. */
  done(): ResponseRequest | undefined;
  /** Drops the answers that wait to be asked for. */
  forgetWaiting(): void;
  /** The service refused the event; the id is empty where it does not say which. Returns whether it was one of these. `isBusy`: because another answer runs. */
  refused(eventId: string, isBusy: boolean): boolean;
  /** What was asked for and is not done, for another session with the service. */
  take(): ResponseRequest[];
  isActive(): boolean;
  isRunning(): boolean;
};

export function createResponses(ask: (request: ResponseRequest, eventId: string) => void): Responses {
  let asked: Asked | undefined;
  let isRunning = false;
  let waiting: ResponseRequest[] = [];
  let count = 0;

  function next(): void {
    if (isRunning || asked) return;
    const request = waiting.shift();
    if (!request) return;
    asked = { request, eventId: `response-${(count += 1)}` };
    ask(request, asked.eventId);
  }

  return {
    request(request) {
      const isBare = request.instructions === undefined;
      if (isBare && waiting.some(({ instructions }) => instructions === undefined)) return;
      waiting.push(request);
      next();
    },
    created: () => void (isRunning = true),
    done() {
      const request = isRunning ? asked?.request : undefined;
      isRunning = false;
      if (request) asked = undefined;
      next();
      return request;
    },
    forgetWaiting: () => void (waiting = []),
    refused(eventId, isBusy) {
      if (!asked || (asked.eventId !== eventId && !(isBusy && eventId === ''))) return false;
      if (isBusy) waiting.unshift(asked.request);
      asked = undefined;
      if (!isBusy) next();
      return true;
    },
    take() {
      const open = [...(asked ? [asked.request] : []), ...waiting];
      asked = undefined;
      waiting = [];
      isRunning = false;
      return open;
    },
    isActive: () => isRunning || asked !== undefined || waiting.length > 0,
    isRunning: () => isRunning,
  };
}
