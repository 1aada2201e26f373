import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { boolean, id, list, nullable, number, object, Type } from '../../kernel/schema.ts';
import type { Model } from './model.ts';
import * as service from './service.ts';

const voiceSchema = object(
  {
    id: Type.String({ description: 'Value for the voiceId of an agent' }),
    llmModelId: id('model'),
    voiceName: Type.String(),
    gender: nullable(Type.String()),
    language: Type.String({ description: 'BCP 47 language tag, such as en-US' }),
    recordingUrl: nullable(Type.String({ description: 'HTTPS URL of an audio sample' })),
    imgUrl: nullable(Type.String({ description: 'HTTPS URL of an avatar' })),
  },
  { title: 'Voice' },
);

const modelSchema = object(
  {
    id: id('model'),
    llmModel: Type.String({ description: 'Value for the model of an agent' }),
    description: Type.String(),
    price: number({ minimum: 0, description: "Price in the platform's billing units" }),
    isActive: boolean({ description: 'False for a model that new agents cannot use' }),
    voices: list(voiceSchema),
  },
  { title: 'Model' },
);

const presentModel = (model: Model) => ({
  id: model.id,
  llmModel: model.llmModel,
  description: model.description,
  price: model.price,
  isActive: model.isActive,
  voices: model.voices.map((voice) => ({
    id: voice.id,
    llmModelId: voice.llmModelId,
    voiceName: voice.voiceName,
    gender: voice.gender,
    language: voice.language,
    recordingUrl: voice.recordingUrl,
    imgUrl: voice.imgUrl,
  })),
});

export const listModelsWithVoices = operation({
  operationId: 'listModelsWithVoices',
  tag: 'Agents',
  summary: 'List LLM models and their voices',
  paged: true,
  data: list(modelSchema),
  message: 'Models fetched.',
  async handle(app, { page }) {
    return pageReply(await service.listModels(app, page), presentModel);
  },
});
