const emptyBuffer = Buffer.alloc(0);

/** The first `limit` bytes of a response body. Later bytes are counted and dropped. */
export class BodyPrefix {
  readonly #limit: number;
  #chunks: Buffer[] | undefined;
  #received = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk; returns how many bytes have arrived so far. */
  add(chunk: Buffer): number {
    if (this.#received < this.#limit) (this.#chunks ??= []).push(chunk.subarray(0, this.#limit - this.#received));
    this.#received += chunk.length;
    return this.#received;
  }

  bytes(): Buffer {
    return this.#chunks === undefined ? emptyBuffer : Buffer.concat(this.#chunks);
  }

  /** Decodes the prefix as UTF-8: invalid bytes become U+FFFD, and a character that the limit cuts in half is left out. */
  text(): string {
    if (this.#chunks === undefined) return '';
    const isCut = this.#received > this.#limit;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes(), { stream: isCut });
  }
}
