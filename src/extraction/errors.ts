/** A document cannot be extracted, and retrying would not help. The message is shown to the document's owner. */
export class ExtractionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
  }
}

export class TooMuchText extends ExtractionError {
  constructor(maxBytes: number) {
    super(`The file unfolds to more than ${maxBytes / 2 ** 20} MiB of text. Split it into smaller files.`);
    this.name = 'TooMuchText';
  }
}
