/** A voice. It belongs to exactly one model. */
export type Voice = {
  id: string;
  llmModelId: string;
  voiceName: string;
  gender: string | null;
  language: string;
  recordingUrl: string | null;
  imgUrl: string | null;
};

/** A language model that agents may use. `price` is in the platform's billing units. */
export type Model = {
  id: string;
  llmModel: string;
  description: string;
  price: number;
  isActive: boolean;
  voices: Voice[];
};

/** A model in the configuration (`catalog.models`). Without an id it keeps its stored one, or gets a new one. */
export type ConfiguredModel = Omit<Model, 'id' | 'voices'> & {
  id?: string;
  voices: ReadonlyArray<Omit<Voice, 'llmModelId'>>;
};

/** The names of models and ids of voices that agents use. */
export type CatalogInUse = { models: ReadonlySet<string>; voices: ReadonlySet<string> };

/**
 * The catalog after a start (docs/api/agents.md, "Models and voices"): the configured models and voices in their order, then removed ones
 * that agents still use. Models are matched by name, because agents refer to them by name. A removed model becomes inactive, stays while
 * any of its voices is in use, and gets a new id if the configuration gives its id to another model.
 */
export function mergeCatalog(
  configured: readonly ConfiguredModel[],
  stored: readonly Model[],
  inUse: CatalogInUse,
  makeId: () => string,
): Model[] {
  const storedByName = new Map(stored.map((model) => [model.llmModel, model]));
  const configuredVoices = new Set(configured.flatMap((model) => model.voices.map((voice) => voice.id)));
  const keptVoices = (model: Model | undefined): Voice[] =>
    (model?.voices ?? []).filter((voice) => inUse.voices.has(voice.id) && !configuredVoices.has(voice.id));

  const claimedIds = new Set(configured.flatMap((model) => model.id ?? []));
  const unclaimedId = (id: string | undefined): string => (id === undefined || claimedIds.has(id) ? makeId() : id);

  const current = configured.map((model): Model => {
    const before = storedByName.get(model.llmModel);
    const { llmModel, description, price, isActive } = model;
    const id = model.id ?? unclaimedId(before?.id);
    return owning({ id, llmModel, description, price, isActive, voices: [] }, [...model.voices, ...keptVoices(before)]);
  });
  const currentNames = new Set(configured.map((model) => model.llmModel));
  const retired = stored
    .filter((model) => !currentNames.has(model.llmModel))
    .filter((model) => inUse.models.has(model.llmModel) || keptVoices(model).length > 0)
    .map((model) => owning({ ...model, id: unclaimedId(model.id), isActive: false }, keptVoices(model)));
  return [...current, ...retired];
}

const owning = (model: Model, voices: ReadonlyArray<Omit<Voice, 'llmModelId'>>): Model => ({
  ...model,
  voices: voices.map((voice) => ({ ...voice, llmModelId: model.id })),
});
