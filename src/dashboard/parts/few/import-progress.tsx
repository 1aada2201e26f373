import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, getImport } from '../../client.ts';
import { imports } from '../../text/contacts.ts';

/** What a small file needs in all. Only what takes longer is asked how far it is. */
const firstAskMs = 3000;
const nextAskMs = 1000;

/** How far a running import is, in rows. */
export function ImportProgress({ importId, total }: { importId: string; total: number }) {
  const read = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    let timer = setTimeout(() => void ask(), firstAskMs);
    async function ask(): Promise<void> {
      try {
        const { data } = await getImport(api, { params: { import_id: importId }, signal: controller.signal });
        read.value = data.rows_read;
      } catch {
        // Nothing is written yet. What is wrong is the answer of the import itself.
      }
      if (!controller.signal.aborted) timer = setTimeout(() => void ask(), nextAskMs);
    }
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [importId]);
  return (
    <p role="status">
      <progress aria-label={imports.progress} max={Math.max(1, total)} value={read.value} />{' '}
      {read.value === undefined ? imports.importing : imports.rowsRead(read.value, total)}
    </p>
  );
}

/** A random UUID. `crypto.randomUUID` exists only in secure contexts. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
