/** Sound in the browser, loaded when it is first wanted. */
export { openSound, type Sound } from './loudspeaker.ts';
export { connectTestCall, type Ended, type Said, type TestCall } from './test-call.ts';
