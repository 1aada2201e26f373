/** A voice; it belongs to exactly one model (interface, Voice). */
export type Voice = {
  id: string;
  llmModelId: string;
  voiceName: string;
  gender: string | null;
  language: string;
  recordingUrl: string | null;
  imgUrl: string | null;
};

/** A model that agents may be bound to; `price` is in the platform's billing units. */
export type Model = {
  id: string;
  llmModel: string;
  description: string;
  price: number;
  isActive: boolean;
  voices: Voice[];
};

/** A model as the configuration names it (`catalog.models`); without an id it keeps the one it has, or gets one. */
export type ConfiguredModel = Omit<Model, 'id' | 'voices'> & {
  id?: string;
  voices: ReadonlyArray<Omit<Voice, 'llmModelId'>>;
};

/** What agents refer to: names of models and ids of voices. */
export type CatalogInUse = { models: ReadonlySet<string>; voices: ReadonlySet<string> };

/**
 * The catalogue after a start (contract, section 4): the configuration's models and voices in its order, then what only agents
 * still hold on to. A model is known by its name, because that is what agents refer to; one that left the configuration is
 * inactive, and gives up its id if the configuration has given that to another. A voice stays with its model, and a model stays
 * while one of its voices does.
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
  const free = (id: string | undefined): string => (id === undefined || claimedIds.has(id) ? makeId() : id);

  const current = configured.map((model): Model => {
    const before = storedByName.get(model.llmModel);
    const { llmModel, description, price, isActive } = model;
    const id = model.id ?? free(before?.id);
    return owning({ id, llmModel, description, price, isActive, voices: [] }, [...model.voices, ...keptVoices(before)]);
  });
  const currentNames = new Set(configured.map((model) => model.llmModel));
  const retired = stored
    .filter((model) => !currentNames.has(model.llmModel))
    .filter((model) => inUse.models.has(model.llmModel) || keptVoices(model).length > 0)
    .map((model) => owning({ ...model, id: free(model.id), isActive: false }, keptVoices(model)));
  return [...current, ...retired];
}

const owning = (model: Model, voices: ReadonlyArray<Omit<Voice, 'llmModelId'>>): Model => ({
  ...model,
  voices: voices.map((voice) => ({ ...voice, llmModelId: model.id })),
});
