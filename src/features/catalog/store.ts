import type { Selectable } from 'kysely';
import { countRows, readPage } from '../../db/pages.ts';
import { prepared } from '../../db/prepared.ts';
import type { LlmModelsTable, VoicesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { CatalogInUse, Model, Voice } from './model.ts';

type ModelRow = Selectable<LlmModelsTable>;
type VoiceRow = Selectable<VoicesTable>;

const voiceOf = (row: VoiceRow): Voice => ({
  id: row.id,
  llmModelId: row.llm_model_id,
  voiceName: row.voice_name,
  gender: row.gender,
  language: row.language,
  recordingUrl: row.recording_url,
  imgUrl: row.img_url,
});

async function withVoices(db: Queryable, rows: readonly ModelRow[]): Promise<Model[]> {
  const voices = await db
    .selectFrom('voices')
    .selectAll()
    .where(
      'llm_model_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('position')
    .execute();
  const byModel = Map.groupBy(voices, (voice) => voice.llm_model_id);
  return rows.map((row) => ({
    id: row.id,
    llmModel: row.llm_model,
    description: row.description,
    price: row.price,
    isActive: row.is_active === 1,
    voices: (byModel.get(row.id) ?? []).map(voiceOf),
  }));
}

export async function modelsPage(db: Queryable, page: Page): Promise<Paged<Model>> {
  const models = db.selectFrom('llm_models');
  const inOrder = models.selectAll().orderBy('position').orderBy('id');
  const { rows, total } = await readPage(db, inOrder, countRows(db, models), page);
  return { items: await withVoices(db, rows), total };
}

export async function modelByName(db: Queryable, llmModel: string): Promise<Model | undefined> {
  const row = await db.selectFrom('llm_models').selectAll().where('llm_model', '=', llmModel).executeTakeFirst();
  return row && (await withVoices(db, [row]))[0];
}

const price = prepared((db, p: { llmModel: string }) =>
  db.selectFrom('llm_models').select('price').where('llm_model', '=', p.llmModel),
);

export const priceOf = async (db: Queryable, llmModel: string): Promise<number | undefined> =>
  (await price(db, { llmModel })).rows[0]?.price;

export async function allModels(db: Queryable): Promise<Model[]> {
  return withVoices(db, await db.selectFrom('llm_models').selectAll().orderBy('position').execute());
}

/** The models and voices that agents of any organization use. Both queries are answered from indexes alone. */
export async function inUse(db: Queryable): Promise<CatalogInUse> {
  const models = await db.selectFrom('agents').select('model').distinct().execute();
  const voices = await db.selectFrom('agents').select('voice_id').distinct().execute();
  return { models: new Set(models.map((row) => row.model)), voices: new Set(voices.map((row) => row.voice_id)) };
}

/** Replaces the whole catalog. A foreign key makes the commit fail if a model or voice that an agent uses is missing. */
export async function replaceAll(tx: Tx, models: readonly Model[]): Promise<void> {
  await tx.deleteFrom('voices').execute();
  await tx.deleteFrom('llm_models').execute();
  for (const [position, model] of models.entries()) {
    await tx
      .insertInto('llm_models')
      .values({
        id: model.id,
        llm_model: model.llmModel,
        description: model.description,
        price: model.price,
        is_active: Number(model.isActive),
        position,
      })
      .execute();
    for (const [order, voice] of model.voices.entries()) await insertVoice(tx, voice, order);
  }
}

async function insertVoice(tx: Tx, voice: Voice, position: number): Promise<void> {
  await tx
    .insertInto('voices')
    .values({
      id: voice.id,
      llm_model_id: voice.llmModelId,
      voice_name: voice.voiceName,
      gender: voice.gender,
      language: voice.language,
      recording_url: voice.recordingUrl,
      img_url: voice.imgUrl,
      position,
    })
    .execute();
}
