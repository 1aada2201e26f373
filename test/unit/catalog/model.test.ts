import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CatalogInUse,
  type ConfiguredModel,
  mergeCatalog,
  type Model,
} from '../../../src/features/catalog/model.ts';

/** Only a few names and ids, so that random models often have the same ones. */
const ids = ['id-1', 'id-2', 'id-3'];
const voiceNames = ['v1', 'v2', 'v3', 'v4'];
const voice = (id: string) => ({
  id,
  voiceName: id,
  gender: null,
  language: 'en-US',
  recordingUrl: null,
  imgUrl: null,
});

/** Valid configurations: names, ids and voice ids are unique. */
const configurations: fc.Arbitrary<ConfiguredModel[]> = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    given: fc.shuffledSubarray([...ids, undefined, undefined, undefined], { minLength: 3, maxLength: 3 }),
    owners: fc.array(fc.nat(3), { minLength: voiceNames.length, maxLength: voiceNames.length }),
    isActive: fc.boolean(),
  })
  .map(({ names, given, owners, isActive }) =>
    names.map((llmModel, index) => ({
      ...(given[index] === undefined ? {} : { id: given[index] }),
      llmModel,
      description: '',
      price: 0,
      isActive,
      voices: voiceNames.filter((_, position) => owners[position] === index).map(voice),
    })),
  );

const uses = fc
  .record({ models: fc.subarray(['a', 'b', 'c']), voices: fc.subarray(voiceNames) })
  .map(({ models, voices }): CatalogInUse => ({ models: new Set(models), voices: new Set(voices) }));

const counterIds = (): (() => string) => {
  let made = 0;
  return () => `made-${made++}`;
};

const unused: CatalogInUse = { models: new Set(), voices: new Set() };

test('after any change of the configuration, ids and names are unique and nothing that an agent uses is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(configurations, uses), { minLength: 1, maxLength: 4 }), (starts) => {
      const makeId = counterIds();
      let stored: Model[] = [];
      for (const [configured, inUse] of starts) {
        const merged = mergeCatalog(configured, stored, inUse, makeId);
        const voices = merged.flatMap((model) => model.voices);
        assert.equal(new Set(merged.map((model) => model.id)).size, merged.length, 'ids of models');
        assert.equal(new Set(merged.map((model) => model.llmModel)).size, merged.length, 'names of models');
        assert.equal(new Set(voices.map(({ id }) => id)).size, voices.length, 'ids of voices');
        for (const model of merged) assert.ok(model.voices.every(({ llmModelId }) => llmModelId === model.id));

        const before = stored.flatMap((model) => model.voices.map(({ id }) => id));
        for (const id of before) if (inUse.voices.has(id)) assert.ok(voices.some((kept) => kept.id === id));
        for (const { llmModel } of stored) {
          if (inUse.models.has(llmModel)) assert.ok(merged.some((model) => model.llmModel === llmModel));
        }
        for (const [position, model] of configured.entries()) {
          assert.equal(merged[position]?.llmModel, model.llmModel, 'models keep the order of the configuration');
          if (model.id !== undefined) assert.equal(merged[position].id, model.id);
        }
        stored = merged;
      }
    }),
  );
});

test('a restart with the same configuration changes nothing', () => {
  fc.assert(
    fc.property(configurations, uses, (configured, inUse) => {
      const makeId = counterIds();
      const first = mergeCatalog(configured, [], inUse, makeId);
      assert.deepEqual(mergeCatalog(configured, first, inUse, makeId), first);
    }),
  );
});

test('a model removed from the configuration is deleted, or stays inactive while an agent uses it or one of its voices', () => {
  const models: ConfiguredModel[] = [
    { llmModel: 'a', description: '', price: 1, isActive: true, voices: [voice('v1'), voice('v2')] },
  ];
  const stored = mergeCatalog(models, [], unused, counterIds());
  assert.deepEqual(mergeCatalog([], stored, unused, counterIds()), []);

  const named = mergeCatalog([], stored, { models: new Set(['a']), voices: new Set(['v2']) }, counterIds());
  assert.deepEqual(
    named.map(({ llmModel, isActive, voices }) => ({ llmModel, isActive, voices: voices.map(({ id }) => id) })),
    [{ llmModel: 'a', isActive: false, voices: ['v2'] }],
  );
});

test('a removed model gets a new id when the configuration gives its id to another model', () => {
  const one = (llmModel: string): ConfiguredModel[] => [
    { id: 'id-1', llmModel, description: '', price: 1, isActive: true, voices: [] },
  ];
  const stored = mergeCatalog(one('a'), [], unused, counterIds());
  const merged = mergeCatalog(one('b'), stored, { models: new Set(['a']), voices: new Set() }, counterIds());
  assert.deepEqual(
    merged.map(({ id, llmModel, isActive }) => ({ id, llmModel, isActive })),
    [
      { id: 'id-1', llmModel: 'b', isActive: true },
      { id: 'made-0', llmModel: 'a', isActive: false },
    ],
  );
});
