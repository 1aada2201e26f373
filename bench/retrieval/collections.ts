/** Public test collections in the formats that their authors publish; bench/data/README.md says where each comes from. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type CollectionDocument = {
  id: string;
  /** The article that the text is a part of. */
  article: number;
  title: string;
  text: string;
};

export type CollectionQuestion = {
  text: string;
  article: number;
  /** How relevant documents are, by id: 1 or more. */
  grades: ReadonlyMap<string, number>;
};

export type Collection = {
  name: string;
  documents: readonly CollectionDocument[];
  questions: readonly CollectionQuestion[];
};

type SquadFile = {
  data: Array<{
    title?: string;
    paragraphs: Array<{ context: string; qas: Array<{ question: string; is_impossible?: boolean }> }>;
  }>;
};

/** Questions about paragraphs of an encyclopaedia: each paragraph is a document, and answers the questions that were asked about it. */
export function readSquad(name: string, file: string): Collection {
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as SquadFile;
  const paragraphs = data.flatMap(({ paragraphs: all }, article) =>
    all.map(({ context, qas }, index) => ({ id: `${article}.${index}`, article, context, qas })),
  );
  return {
    name,
    documents: paragraphs.map(({ id, article, context }) => ({ id, article, title: '', text: context })),
    questions: paragraphs.flatMap(({ id, article, qas }) =>
      qas
        .filter(({ is_impossible: isImpossible }) => !isImpossible)
        .map(({ question }) => ({ text: question, article, grades: new Map([[id, 1]]) })),
    ),
  };
}

/** The records of a file in SMART's format: `.I` begins one, other lines with a dot and a capital begin a field of it. */
function smartRecords(text: string): Array<Record<string, string>> {
  return text
    .split(/^\.I .*\n/m)
    .slice(1)
    .map((record) =>
      Object.fromEntries(
        record
          .split(/^\.(?=[A-Z]\n)/m)
          .slice(1)
          .map((field) => [field[0]!, field.slice(2).replaceAll(/\s+/g, ' ').trim()]),
      ),
    );
}

/** Abstracts about aerodynamics (Cleverdon 1967). A judgement is from 1, a complete answer, to 4, of minimum interest. */
export function readCranfield(name: string, folder: string): Collection {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8').replaceAll('\r', '');
  const grades = Map.groupBy(
    read('cranqrel')
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, , code]) => code !== undefined && code >= 1 && code <= 4),
    ([question]) => question!,
  );
  return {
    name,
    documents: smartRecords(read('cran.all.1400')).map(({ T: title = '', W: text = '' }, index) => ({
      id: String(index + 1),
      article: index,
      title,
      text: text.startsWith(title) ? text.slice(title.length).trim() : text,
    })),
    questions: smartRecords(read('cran.qry')).map(({ W: text = '' }, index) => ({
      text,
      article: -1,
      grades: new Map((grades.get(index + 1) ?? []).map(([, document, code]) => [String(document), 5 - code!])),
    })),
  };
}

/** Collections that only judge, and those on which settings may be chosen. */
const judging = { 'xquad.en.json': 'English', 'xquad.de.json': 'German', 'xquad.zh.json': 'Chinese' };
const apart = {
  'xquad.es.json': 'Spanish',
  'xquad.ro.json': 'Romanian',
  'xquad.ru.json': 'Russian',
  'xquad.el.json': 'Greek',
  'xquad.tr.json': 'Turkish',
  'norquad.json': 'Norwegian',
  'DRCD_dev.json': 'Chinese, traditional',
};

/** The collections of which a folder has the files. */
export function readCollections(folder: string, options: { apart: boolean }): Collection[] {
  const reading = Object.entries(options.apart ? apart : judging)
    .filter(([file]) => existsSync(join(folder, file)))
    .map(([file, name]) => readSquad(name, join(folder, file)));
  const hasAbstracts = !options.apart && existsSync(join(folder, 'cran.all.1400'));
  return hasAbstracts ? [readCranfield('abstracts', folder), ...reading] : reading;
}
