/** Why a document cannot be had as text: a sentence for the person who gave it. Trying again gives the same. */
export class ExtractionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
  }
}
