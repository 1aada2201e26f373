import { installation, type Queryable, transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type ConfiguredModel, mergeCatalog, type Model } from './model.ts';
import * as store from './store.ts';

/** Synchronizes models and voices with the configuration (docs/api/agents.md, "Models and voices"). Called at start, before any request. */
export function syncCatalog(app: App): Promise<void> {
  const configured = configuredModels(app);
  return transact(app.db, installation, async (tx) => {
    const models = mergeCatalog(configured, await store.allModels(tx), await store.inUse(tx), () => app.ids.make());
    await store.replaceAll(tx, models);
  });
}

const configuredModels = (app: App): ConfiguredModel[] =>
  app.config.catalog.models.map((model) => ({
    ...(model.id === undefined ? {} : { id: model.id.toLowerCase() }),
    llmModel: model.llm_model,
    description: model.description,
    price: model.price,
    isActive: model.is_active,
    voices: model.voices.map((voice) => ({
      id: voice.id,
      voiceName: voice.voice_name,
      gender: voice.gender,
      language: voice.language,
      recordingUrl: voice.recording_url,
      imgUrl: voice.img_url,
    })),
  }));

/** Models with their voices, in the configuration's order, including inactive ones. */
export const listModels = (app: App, page: Page): Promise<Paged<Model>> => store.modelsPage(app.db, page);

/** The price of a minute with a model, in the platform's billing units; undefined for a model that the catalog does not have. */
export const priceOf = (db: Queryable, llmModel: string): Promise<number | undefined> => store.priceOf(db, llmModel);

/** A model with its voices, active or not. */
export const findModel = (db: Queryable, llmModel: string): Promise<Model | undefined> =>
  store.modelByName(db, llmModel);
