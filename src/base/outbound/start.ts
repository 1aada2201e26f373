const nothing = Buffer.alloc(0);

/** The first `limit` bytes of what it is fed; counts the rest. */
export class Start {
  readonly #limit: number;
  #chunks: Buffer[] | undefined;
  #seen = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a chunk and answers how many bytes have been seen. */
  add(chunk: Buffer): number {
    if (this.#seen < this.#limit) (this.#chunks ??= []).push(chunk.subarray(0, this.#limit - this.#seen));
    this.#seen += chunk.length;
    return this.#seen;
  }

  bytes(): Buffer {
    return this.#chunks === undefined ? nothing : Buffer.concat(this.#chunks);
  }

  /** Decoded as UTF-8: bytes that are none become U+FFFD, a character that was cut is left out. */
  text(): string {
    if (this.#chunks === undefined) return '';
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes(), { stream: this.#seen > this.#limit });
  }
}
