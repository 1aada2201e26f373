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
export * from './operations.generated.ts';
