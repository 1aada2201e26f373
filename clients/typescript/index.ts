export {
  type Answer,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Fault,
  type PagedAnswer,
  ParleyError,
} from './client.ts';
export { iterate } from './iterate.ts';
export { type LiveEvent, type LiveRequest, watchLive } from './live.ts';
export { eventsIn, type ServerSentEvent } from './server-sent-events.ts';
export * from './operations.generated.ts';
