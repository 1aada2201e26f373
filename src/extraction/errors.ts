/** A document cannot be extracted, and retrying would not help. The message is shown to the document's owner. */
export class ExtractionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
  }
}
