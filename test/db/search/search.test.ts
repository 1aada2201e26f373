import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { retrievalOf } from '../../../src/search/service.ts';
import { type Library, openLibrary } from '../../support/library.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const shared = await openLibrary();
after(() => shared.close());

/** For tests that look at what one base or one document leaves in the index. */
async function aLibraryAlone(t: TestContext): Promise<Library> {
  const library = await openLibrary();
  t.after(() => library.close());
  return library;
}

const titlesOf = async (library: Library, base: string | string[], query: string): Promise<string[]> => {
  const found = await library.ask(base, query);
  const rows = await library.app.db.selectFrom('knowledge_documents').select(['id', 'name']).execute();
  return found.map(({ documentId }) => rows.find(({ id }) => id === documentId)!.name);
};

const shop = {
  Returns: 'You may send goods back within thirty days of delivery. Refunds go to the card that paid.',
  Shipping: 'Parcels leave our warehouse the same day when ordered before noon. Express costs 12.50 euros.',
  Warranty: 'The manufacturer repairs the X200 free of charge for two years. Batteries are covered for six months.',
  'Opening hours': 'Our shop in Lyon is open from Tuesday to Saturday, nine to seven.',
};

async function createShopBase(library: Library): Promise<string> {
  const base = await library.createBase();
  for (const [title, text] of Object.entries(shop)) await library.put(base, { title, text });
  return base;
}

test('a question finds the passage with its words in any form', async () => {
  const base = await createShopBase(shared);
  assert.equal((await titlesOf(shared, base, 'How do I get a refund for delivered goods?'))[0], 'Returns');
  assert.equal((await titlesOf(shared, base, 'battery repair'))[0], 'Warranty');
  assert.equal((await titlesOf(shared, base, '12,50'))[0], 'Shipping');
});

test('titles and headings are searched as well as the text', async () => {
  const base = await createShopBase(shared);
  assert.equal((await titlesOf(shared, base, 'shipping'))[0], 'Shipping');
  const chunks = [{ text: 'Nine to five.', heading: 'Guide › Customs clearance', page: 3 }];
  await shared.put(base, { title: 'Guide', chunks });
  const [found] = await shared.ask(base, 'customs');
  assert.deepEqual({ ...found, documentId: '', score: 0 }, { ...chunks[0], documentId: '', score: 0, highlights: [] });
});

test('misheard and misspelled words match the words of the knowledge base that are most similar', async () => {
  const base = await createShopBase(shared);
  for (const [query, title] of [
    ['waranty of the x 200', 'Warranty'],
    ['refnud', 'Returns'],
    ['expres parcles', 'Shipping'],
    ['openning huors', 'Opening hours'],
  ] as const) {
    assert.equal((await titlesOf(shared, base, query))[0], title, query);
  }
});

test('text without blanks is found by pairs of characters, and a question of one short word works', async () => {
  const base = await shared.createBase();
  await shared.put(base, { title: '退款', text: '您可以在收货后三十天内申请退款。退款将退回原支付账户。' });
  await shared.put(base, { title: '配送', text: '中午之前下单的包裹当天发货。' });
  await shared.put(base, { title: '営業時間', text: '店舗は火曜日から土曜日まで営業しています。' });
  await shared.put(base, { title: 'บริการ', text: 'ร้านเปิดทุกวันยกเว้นวันจันทร์' });
  await shared.put(base, { title: '환불', text: '배송 후 30일 이내에 환불을 신청할 수 있습니다.' });
  await shared.put(base, { title: 'IT', text: 'The IT desk answers by e-mail.' });
  for (const [query, title] of [
    ['退款', '退款'],
    ['怎么申请退款？', '退款'],
    ['发货', '配送'],
    ['土曜日', '営業時間'],
    ['วันจันทร์', 'บริการ'],
    ['환불', '환불'],
    ['IT', 'IT'],
  ] as const) {
    assert.equal((await titlesOf(shared, base, query))[0], title, query);
  }
});

test('nothing in a question is taken for query syntax', async () => {
  const base = await createShopBase(shared);
  await shared.put(base, { title: 'Party', text: 'We celebrate 🎉 on Fridays.' });
  assert.deepEqual(await titlesOf(shared, base, '🎉'), ['Party']);
  for (const query of [
    '"',
    "'; PRAGMA x; --",
    '(',
    '*',
    'NEAR(',
    'a AND',
    '-',
    ':',
    '^',
    '\u0000',
    '\ud800',
    '🦑',
    '   ',
  ]) {
    assert.deepEqual(await titlesOf(shared, base, query === 'a AND' ? 'AND' : query), [], JSON.stringify(query));
  }
  assert.equal((await titlesOf(shared, base, 'refunds\u0000" OR *'))[0], 'Returns');
  assert.equal((await titlesOf(shared, base, `${'blah '.repeat(2000)}refund`))[0], 'Returns');
  const different = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(' ');
  assert.ok((await shared.ask(base, `${different} refund refund`)).length > 0);
});

test('any text works as a question and as a document', async () => {
  const base = await createShopBase(shared);
  const points = fc.array(fc.oneof(fc.nat(0x10ffff), fc.nat(0x2ff)), { maxLength: 40 });
  const text = fc.oneof(
    points.map((some) => String.fromCodePoint(...some)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(text, async (any) => {
      await shared.put(base, { title: any, chunks: [{ text: `${any} x`, heading: any, page: null }] });
      for (const { score } of await shared.ask(base, any)) assert.ok(score > 0 && score <= 1);
    }),
    { numRuns: propertyRuns({ few: 8, all: 60 }) },
  );
});

test('only the named knowledge bases are searched, one or several', async () => {
  const [shopBase, other, empty] = [await createShopBase(shared), await shared.createBase(), await shared.createBase()];
  await shared.put(other, { title: 'Other refunds', text: 'Refunds take a week.' });
  assert.deepEqual(await titlesOf(shared, other, 'refunds'), ['Other refunds']);
  assert.deepEqual(await titlesOf(shared, empty, 'refunds'), []);
  assert.deepEqual((await titlesOf(shared, [shopBase, other], 'refunds')).toSorted(), ['Other refunds', 'Returns']);
});

test('documents of another organization change no score', async () => {
  const base = await createShopBase(shared);
  const queries = ['refund', 'parcels before noon', 'battery of the X200', 'waranty', 'something else'];
  const before = await Promise.all(queries.map((query) => shared.ask(base, query)));
  const stranger = await shared.createBase(await shared.createOrganization());
  for (let index = 0; index < 50; index++) {
    await shared.put(stranger, { title: `Refunds ${index}`, text: 'refund parcels noon battery warranties else' });
  }
  assert.deepEqual(await Promise.all(queries.map((query) => shared.ask(base, query))), before);
});

test('a changed document is found by its new text only, and a removed one not at all', async (t) => {
  const library = await aLibraryAlone(t);
  const base = await createShopBase(library);
  const id = await library.put(base, { title: 'Gifts', text: 'Vouchers are valid for three years.' });
  assert.equal((await titlesOf(library, base, 'vouchers'))[0], 'Gifts');
  await library.put(base, { id, title: 'Presents', text: 'We wrap presents for free.' });
  assert.deepEqual(await titlesOf(library, base, 'vouchers'), []);
  assert.equal((await titlesOf(library, base, 'wrap'))[0], 'Presents');
  await library.app.db.updateTable('knowledge_documents').set({ removed_at: 1 }).where('id', '=', id).execute();
  assert.deepEqual(await titlesOf(library, base, 'wrap'), [], 'as soon as it is marked as removed');
  await library.remove(id);
  const { rows } = await sql<object>`SELECT passages, (SELECT count(*) FROM retrieval_passages) AS stored,
    (SELECT count(*) FROM retrieval_words WHERE retrieval_words MATCH '"1_wrap"') AS indexed FROM retrieval_bases`.execute(
    library.app.db,
  );
  assert.deepEqual(rows, [{ passages: 4, stored: 4, indexed: 0 }]);
});

test('a long document is added in parts, and removed whole', async () => {
  const base = await shared.createBase();
  const chunk = (text: string) => ({ text, heading: null, page: null });
  const id = await shared.put(base, { title: 'Book', chunks: [chunk('apples')] });
  await shared.add(base, id, 'Book', [chunk('pears'), chunk('plums')]);
  for (const fruit of ['apples', 'pears', 'plums']) {
    assert.equal((await shared.ask(base, fruit))[0]?.text, fruit);
  }
  await shared.remove(id);
  assert.deepEqual(await shared.ask(base, 'plums'), []);
});

test('removing a knowledge base leaves no rows behind and other knowledge bases untouched', async (t) => {
  const library = await aLibraryAlone(t);
  const [base, other] = [await createShopBase(library), await createShopBase(library)];
  for (let index = 0; index < 300; index++)
    await library.put(base, { title: `Page ${index}`, text: `Only here${index}` });
  await library.removeBase(base);
  assert.deepEqual(await titlesOf(library, base, 'refunds'), []);
  assert.equal((await titlesOf(library, other, 'refunds'))[0], 'Returns');
  const { rows } = await sql<object>`
    SELECT (SELECT count(*) FROM retrieval_bases) AS bases,
      (SELECT count(*) FROM retrieval_vocabulary WHERE word LIKE 'here%') AS words,
      (SELECT count(*) FROM retrieval_trigrams WHERE retrieval_trigrams MATCH '"1_her"') AS trigrams,
      (SELECT count(*) FROM retrieval_words WHERE retrieval_words MATCH '"1_page"') AS indexed`.execute(library.app.db);
  assert.deepEqual(rows, [{ bases: 1, words: 0, trigrams: 0, indexed: 0 }]);
});

test('duplicate passages are shown once', async () => {
  const base = await createShopBase(shared);
  await shared.put(base, { title: 'Returns', text: shop.Returns });
  assert.deepEqual(await titlesOf(shared, base, 'refunds to the card'), ['Returns']);
});

test('passages from one template are not duplicates', async () => {
  const base = await shared.createBase();
  const included =
    'It includes unlimited telephone calls within Germany, international roaming across European countries, electronic invoices, ' +
    'customer support through telephone and messages, installation appointments during working hours, replacement equipment ' +
    'after accidents, parental controls, security updates, automatic backups, additional storage and premium television channels.';
  const prices = { Basic: 19, Plus: 29, Max: 49 };
  for (const [name, price] of Object.entries(prices))
    await shared.put(base, { title: 'Tariffs', text: `The ${name} plan costs ${price} euros per month. ${included}` });
  const found = await shared.ask(base, 'price of Basic, Plus and Max');
  for (const price of Object.values(prices)) assert.ok(found.some(({ text }) => text.includes(`${price} euros`)));
  const compared = await shared.ask(base, 'compare Basic and Plus');
  for (const price of [19, 29]) assert.ok(compared.some(({ text }) => text.includes(`${price} euros`)));
});

test('a word that every passage has is found', async () => {
  const base = await shared.createBase();
  const chunks = Array.from({ length: 100 }, (_, index) => ({ text: `Part ${index}.`, heading: 'Omega', page: null }));
  await shared.put(base, { title: 'Guide', chunks });
  assert.equal((await shared.ask(base, 'omega')).length, 5);
});

test('duplicates of the best passages do not reduce the number of results', async () => {
  const base = await shared.createBase();
  const cookies = Array.from({ length: 100 }, () => ({
    text: 'We use cookies on our site.',
    heading: null,
    page: null,
  }));
  await shared.put(base, { title: 'Acme', chunks: cookies });
  for (const town of ['Lyon', 'Nice', 'Lille', 'Metz'])
    await shared.put(base, {
      title: 'Acme',
      text: `The bakery in ${town} bakes many cookies for all who come in the morning.`,
    });
  const found = await shared.ask(base, 'cookies');
  assert.equal(new Set(found.map(({ text }) => text)).size, 5);
});

test('a score tells how much of the question a passage covers', async () => {
  const base = await createShopBase(shared);
  const scoreOf = async (query: string): Promise<number> => (await shared.ask(base, query))[0]?.score ?? 0;
  const answered = await scoreOf('Are batteries covered?');
  assert.ok(answered > 0.5 && answered <= 1, `${answered}`);
  assert.ok((await scoreOf('Do you cover flights to Brazil?')) < 0.5);
  assert.equal(await scoreOf('zebra crossing'), 0);
  const tiny = await shared.createBase();
  await shared.put(tiny, { title: 'House', text: 'The lift goes to all floors.' });
  assert.ok(
    (await shared.ask(tiny, 'Which floors does the lift go to?'))[0]!.score > 0.5,
    'also in a knowledge base of one passage',
  );
});

test('a word finds its other forms and compounds in languages that the stemmer does not cover, after the word itself', async () => {
  const base = await shared.createBase();
  await shared.put(base, { title: 'Rückgabe', text: 'Die Rückgabefrist beträgt dreißig Tage.' });
  await shared.put(base, { title: 'Versand', text: 'Pakete verlassen das Lager noch am selben Tag.' });
  await shared.put(base, { title: 'Доставка', text: 'Посылки доставляем за три дня.' });
  await shared.put(base, { title: 'Frist', text: 'Die Rückgabefrist endet am Monatsende.' });
  assert.equal((await titlesOf(shared, base, 'Rückgaben'))[0], 'Rückgabe');
  assert.equal((await titlesOf(shared, base, 'Paketversand'))[0], 'Versand');
  assert.equal((await titlesOf(shared, base, 'посылку доставили'))[0], 'Доставка');
  assert.deepEqual(await titlesOf(shared, base, 'Rückgabe'), ['Rückgabe', 'Frist']);
});

test('English stop words of a question find nothing, unless it has no other word', async () => {
  const base = await createShopBase(shared);
  await shared.put(base, { title: 'Band', text: 'The Who will play here.' });
  assert.deepEqual(await titlesOf(shared, base, 'What will the parking be?'), []);
  assert.equal((await titlesOf(shared, base, 'the who'))[0], 'Band');
});

test('a word counts more in a title or heading, when it is repeated, and in a short passage', async () => {
  const base = await shared.createBase();
  const other = 'Nothing else is said on this page but a few words that no one looks for.';
  await shared.put(base, { title: 'Once', text: `The garden. ${other}` });
  await shared.put(base, { title: 'Garden', text: `The house. ${other} ${other}` });
  await shared.put(base, { title: 'Often', text: `The garden and the garden of the garden. ${other}` });
  await shared.put(base, { title: 'Long', text: `The garden. ${other} ${other} ${other}` });
  const titles = await titlesOf(shared, base, 'garden');
  assert.ok(titles.indexOf('Garden') < titles.indexOf('Long'), titles.join());
  assert.ok(titles.indexOf('Often') < titles.indexOf('Once'), titles.join());
  assert.ok(titles.indexOf('Once') < titles.indexOf('Long'), titles.join());
});

test('a title or a heading counts like two mentions in the text', async () => {
  const base = await shared.createBase();
  const chunk = (text: string, heading: string | null = null) => [{ text, heading, page: null }];
  await shared.put(base, { title: 'Garden', chunks: chunk('It is behind our house.') });
  await shared.put(base, { title: '', chunks: chunk('It is inside our yard.', 'Garden') });
  await shared.put(base, { title: '', chunks: chunk('Garden garden: it is near our pond.') });
  const found = await shared.ask(base, 'garden');
  assert.equal(found.length, 3);
  assert.equal(new Set(found.map(({ score }) => score)).size, 1, JSON.stringify(found));
});

test('a word finds its own passages before those of its other forms', async () => {
  const base = await shared.createBase();
  for (const word of ['Gartenzaun', 'Garten', 'Gartens', 'Haus']) await shared.put(base, { title: '', text: word });
  assert.equal((await shared.ask(base, 'Garten'))[0]?.text, 'Garten');
});

test('a word that the base lacks is asked with the three words that are spelled most like it, a known word with none', async () => {
  const base = await shared.createBase();
  const words = ['voucher', 'touchers', 'rouchers', 'roucherx', 'house'];
  for (const word of words) await shared.put(base, { title: '', text: word });
  const textsOf = async (query: string): Promise<string[]> =>
    (await shared.ask(base, query, 50)).map(({ text }) => text).toSorted();
  assert.deepEqual(await textsOf('xoucher'), ['rouchers', 'touchers', 'voucher']);
  assert.deepEqual(await textsOf('voucher'), ['voucher']);
});

test('words of another knowledge base are neither forms nor corrections', async () => {
  const [base, other] = [await shared.createBase(), await shared.createBase()];
  await shared.put(base, { title: '', text: 'Die Gartenmöbel kommen im Frühjahr.' });
  const crowd = Array.from(
    { length: 200 },
    (_, index) => `garten${String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))}`,
  );
  await shared.put(other, { title: '', text: `${crowd.join(' ')} gartenmö gartenmob gartenmol gartenmobe` });
  for (const query of ['Garten', 'Gartenmobl'])
    assert.equal((await shared.ask(base, query)).length, 1, `${query} beside other bases`);
});

test('a base of German texts weighs its words by its own frequencies, not by those of an English base beside it', async () => {
  const german = await shared.createBase();
  const rooms = ['Stube', 'Küche', 'Diele', 'Kammer', 'Halle', 'Laube', 'Scheune', 'Werkstatt'];
  for (const room of rooms)
    await shared.put(german, { title: '', text: `Die ${room} war am Abend warm, die Tür war zu.` });
  await shared.put(german, { title: '', text: 'Der Ofen steht in einer Ecke.' });
  const ask = async (): Promise<unknown> => shared.ask(german, 'Wie warm war die Kammer?');
  const before = await ask();
  const english = await shared.createBase();
  for (const room of rooms.toSorted()) {
    await shared.put(english, { title: 'Kammer', text: `Kammer ${room}: they die by war, it was warm.` });
  }
  assert.deepEqual(await ask(), before);
  assert.match((before as Array<{ text: string }>)[0]!.text, /Kammer/);
});

test('without an embeddings endpoint the retrieval mode is full text', async () => {
  const { app } = shared;
  assert.deepEqual(await retrievalOf(app, app.ids.make()), { mode: 'full_text', pendingEmbeddings: 0 });
});

test('each addition merges the index a little, so that a query reads few segments', async (t) => {
  const library = await aLibraryAlone(t);
  const base = await library.createBase();
  const countSegments = async (): Promise<number[]> => {
    const { rows } = await sql<{ words: number; trigrams: number }>`
      SELECT (SELECT count(DISTINCT segid) FROM retrieval_words_idx) AS words,
        (SELECT count(DISTINCT segid) FROM retrieval_trigrams_idx) AS trigrams`.execute(library.app.db);
    return Object.values(rows[0]!);
  };
  let highest = 0;
  for (let index = 0; index < 50; index++) {
    await library.put(base, { title: `Page ${index}`, text: `Words of ${index}.` });
    highest = Math.max(highest, ...(await countSegments()));
  }
  assert.ok(highest <= 8, `there were ${highest}`); // without mergeStep, SQLite's own merging lets 16 accumulate
});
