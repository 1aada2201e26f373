/**
 * What the evidence for a best passage says about whether the answer is in a base at all: fits the factors of
 * src/search/score/confidence.ts on the tuning set, and says how well they tell questions apart that they were not
 * fitted on.
 *
 *   npm run bench:retrieval:calibrate
 *
 * Questions without an answer are not what it is fitted on, because whoever writes some writes them shorter than others, and a score that
 * tells them by that is worth nothing: on the tuning set it looks best. Each question is asked three times: as it is, with the passages
 * taken out that answer it, and with their documents taken out. So what is learnt is what an answer changes, and the questions without
 * one only judge.
 */
import { diversify } from '../../src/search/score/diversify.ts';
import type { Evidence } from '../../src/search/score/confidence.ts';
import { rankedFor } from '../../src/search/ranking.ts';
import { fit, logOdds, type Model } from './logistic.ts';
import { isAnswerable, isRelevant, type Question } from './measures.ts';
import { openShelf, questionsOf, type Volume } from './set.ts';

const names = ['covered', 'exact', 'weakest', 'amount'] as const;
const featuresOf = (evidence: Evidence): number[] => names.map((name) => evidence[name]);

type Case = 'answered' | 'passage taken out' | 'document taken out' | 'never had one';
type Asked = { which: Case; features: number[]; fold: number };

const folds = 5;
const shelf = await openShelf('tuning');
const asked: Asked[] = [];

async function ask(question: Question, which: Case, fold: number): Promise<void> {
  const ranked = await rankedFor(
    shelf.library.app.db,
    { knowledgeBaseIds: [shelf.base], query: question.ask, limit: 10 },
    undefined,
  );
  const [best] = diversify(ranked, 10);
  if (best) asked.push({ which, features: featuresOf(best.evidence), fold });
}

async function askWithout(question: Question, volume: Volume, fold: number): Promise<void> {
  const rest = volume.chunks.filter(({ text }) => !isRelevant(question, { document: volume.name, text }));
  await shelf.library.put(shelf.base, { ...volume, chunks: rest });
  await ask(question, 'passage taken out', fold);
  await shelf.library.put(shelf.base, { ...volume, chunks: [] });
  await ask(question, 'document taken out', fold);
  await shelf.library.put(shelf.base, volume);
}

// A document's questions are of one fold: none is judged by what was fitted on its neighbours. Words alone do not reach other languages.
const questions = questionsOf('tuning').filter(({ kind }) => kind !== 'cross_lingual');
for (const [index, question] of questions.entries()) {
  if (!isAnswerable(question)) await ask(question, 'never had one', index % folds);
  else {
    const at = shelf.volumes.findIndex(({ name }) => name === question.in);
    await ask(question, 'answered', at % folds);
    await askWithout(question, shelf.volumes[at]!, at % folds);
  }
}
await shelf.library.close();

const some = (which: Case, among: readonly Asked[] = asked): Asked[] => among.filter((one) => one.which === which);

function fitted(among: readonly Asked[]): Model {
  const weightOf = (which: Case): number => (which === 'answered' ? 2 : 1) / some(which, among).length;
  return fit(
    among
      .filter(({ which }) => which !== 'never had one')
      .map(({ which, features }) => ({ features, so: which === 'answered', weight: weightOf(which) })),
  );
}

const models = Array.from({ length: folds }, (_, fold) => fitted(asked.filter((one) => one.fold !== fold)));
const oddsOf = (which: Case): number[] => some(which).map(({ features, fold }) => logOdds(models[fold]!, features));
const answered = oddsOf('answered').toSorted((a, b) => a - b);

/** Of those with an answer five in six are to score 0.5. */
const share = 1 / 6;
const least = answered[Math.floor(answered.length * share)]!;

for (const which of ['passage taken out', 'document taken out', 'never had one'] as const) {
  const odds = oddsOf(which);
  const won = odds.reduce((sum, no) => sum + answered.filter((yes) => yes > no).length, 0);
  const refused = odds.filter((no) => no < least).length;
  const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1);
  console.log(
    `${which}: AUC ${percent(won, odds.length * answered.length)}, refused ${percent(refused, odds.length)} %`,
  );
}
const { factors, constant } = fitted(asked);
const whole = some('answered').map(({ features }) => logOdds({ factors, constant }, features));
const shift = whole.toSorted((a, b) => a - b)[Math.floor(whole.length * share)]!;
for (const [index, name] of names.entries()) console.log(`${name}: ${factors[index]!.toFixed(2)}`);
console.log(
  `constant: ${(constant - shift).toFixed(2)} (${constant.toFixed(2)} where half of all questions have an answer)`,
);
