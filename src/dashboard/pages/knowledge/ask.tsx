import { useSignal } from '@preact/signals';
import { api, type Passage, queryKnowledgeBase } from '../../client.ts';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { useForm } from '../../state/form.ts';
import { knowledge } from '../../text/knowledge.ts';

/** Below this score the knowledge base hardly has an answer (docs/api/knowledge.md, "Questions"). */
const minScore = 0.5;

export function Ask({ id }: { id: string }) {
  const passages = useSignal<readonly Passage[] | undefined>(undefined);
  const form = useForm({
    initial: { query: '' },
    guards: false,
    success: '',
    async save(body) {
      passages.value = (await queryKnowledgeBase(api, { params: { kb_id: id }, body })).data;
    },
  });
  const found = passages.value;
  return (
    <section>
      <h2>{knowledge.try}</h2>
      <Form form={form}>
        <TextField form={form} name="query" label={knowledge.question} />
        <Submit form={form} text={knowledge.ask} />
      </Form>
      {found?.length === 0 && <p>{knowledge.noPassages}</p>}
      {found && found.length > 0 && (
        <ol class="passages" aria-label={knowledge.passages}>
          {found.map((passage) => (
            <li key={`${passage.doc_id} ${passage.text}`}>
              <p class="quiet">
                <strong>{passage.score < minScore ? knowledge.hardly : knowledge.good}</strong> (
                {knowledge.score(passage.score)}) · <Origin passage={passage} />
              </p>
              <p dir="auto" class="lines">
                <Marked text={passage.text} highlights={passage.highlights} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Origin({ passage: { source_name: name, heading, page, url } }: { passage: Passage }) {
  const parts = [name, heading, page === null ? null : knowledge.page(page)]
    .filter((part) => part !== null)
    .join(' · ');
  if (url === null || !/^https?:/.test(url)) return <span dir="auto">{parts}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
      {parts}
    </a>
  );
}

/** The text with what matched the question marked. */
function Marked({ text, highlights }: Pick<Passage, 'text' | 'highlights'>) {
  const starts = highlights.map(([start]) => start!);
  const ends = [0, ...highlights.map(([, end]) => end!)];
  return (
    <>
      {highlights.map(([start, end], index) => (
        <>
          {text.slice(ends[index], starts[index])}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
