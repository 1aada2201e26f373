import { useId } from 'preact/hooks';
import { saveFile } from '../../state/download.ts';
import { imports } from '../../text/contacts.ts';
import { common } from '../../text/en.ts';
import { csvOf } from './csv.ts';
import { Table } from '../table.tsx';

type RowFault = { row: number; reason: string };

/** An import's answer, of a dry run or of the real one. Its lists end at 1,000 rows. */
export type ImportAnswer = {
  import_id: string | null;
  created: number;
  updated: number;
  rejected: RowFault[];
  rejected_count: number;
  warnings: Array<RowFault & { field: string }>;
  warning_count: number;
  rejected_cells?: string[][];
  skipped: RowFault[];
  total: number;
  columns: Array<{ name: string; to: string | null }>;
  sample: string[][];
  stored_cells?: Array<Array<string | null> | null>;
  added?: number;
};

type TriedProps = {
  answer: ImportAnswer;
  fields: readonly string[];
  change(column: string, to: string | null): void;
};

/** How a file is understood, before anything of it is stored. */
export function Tried({ answer, fields, change }: TriedProps) {
  const { columns, sample, stored_cells: stored, rejected, rejected_count: count, warnings, skipped, total } = answer;
  const skippedCount = imports.skippedOf(answer);
  return (
    <>
      <p>
        <strong>{imports.canBeImported(total - count, total)}</strong>
      </p>
      {count + skippedCount > 0 && <p>{imports.leftOut(count, skippedCount)}</p>}
      {!columns.some(({ to }) => to === 'phone') && <p class="notice warn">{imports.noPhone}</p>}
      {[...rejected, ...warnings].some(({ reason }) => reason.includes(imports.countryParameter)) && (
        <p class="notice warn">{imports.needsCountry}</p>
      )}
      <div class="fields">
        {columns.map((column) => (
          <ColumnField key={column.name} column={column} fields={fields} change={change} />
        ))}
      </div>
      <Table
        caption={imports.firstRows}
        titled
        rows={sample.map((cells, index) => ({ index, cells, stored: stored?.[index] ?? null }))}
        rowKey={({ index }) => String(index)}
        columns={[
          { name: imports.row, cell: ({ index }) => index + 1 },
          ...columns.map(({ name }, at) => ({
            name,
            cell: ({ cells, stored: kept }: SampleRow) => <Cell cell={cells[at] ?? ''} stored={kept?.[at] ?? null} />,
          })),
        ]}
      />
      <p class="quiet">{imports.asStored}</p>
      <Faults caption={imports.rejected} rows={rejected} total={count} />
      <RejectedFile answer={answer} />
      {warnings.length > 0 && (
        <Faults
          caption={imports.unreadable}
          rows={warnings.map(({ row, field, reason }) => ({
            row,
            reason: `${imports.fields[field] ?? field} ${reason}`,
          }))}
          total={answer.warning_count}
        />
      )}
      {skipped.length > 0 && <Faults caption={imports.skipped} rows={skipped} total={skippedCount} />}
    </>
  );
}

type SampleRow = { index: number; cells: string[]; stored: Array<string | null> | null };

/** A cell as it will be stored; what will not be is struck through. */
function Cell({ cell, stored }: { cell: string; stored: string | null }) {
  if (stored !== null)
    return (
      <span dir="auto" title={cell === stored ? undefined : cell}>
        {stored}
      </span>
    );
  return cell.trim() === '' ? null : (
    <del class="quiet" dir="auto">
      {cell}
    </del>
  );
}

const maxShown = 20;

type FaultsProps = { caption: string; rows: readonly RowFault[]; total: number };

const Faults = ({ caption, rows, total }: FaultsProps) => (
  <>
    <Table
      caption={caption}
      titled
      rows={rows.slice(0, maxShown)}
      rowKey={({ row, reason }) => `${row} ${reason}`}
      empty={common.none}
      columns={[
        { name: imports.row, cell: ({ row }) => row },
        { name: imports.reason, cell: ({ reason }) => imports.reasonText(reason) },
      ]}
    />
    {total > maxShown && <p class="quiet">{imports.moreRows(total - Math.min(rows.length, maxShown))}</p>}
  </>
);

/** The rejected rows with their reasons, as a file that can be corrected and imported again. */
function RejectedFile({ answer: { columns, rejected, rejected_cells: cells } }: { answer: ImportAnswer }) {
  if (!cells?.some((row) => row.length > 0)) return null;
  const save = (): void => {
    // The reason is left out by the next import, or replaced, if the file has been through this before.
    const names = columns.map(({ name }) => name);
    const kept = names.map((_, index) => index).filter((index) => names[index] !== imports.reasonColumn);
    const rows = rejected.flatMap(({ reason }, at) =>
      cells[at]!.length === 0 ? [] : [[reason, ...kept.map((index) => cells[at]![index] ?? '')]],
    );
    saveFile(imports.rejectedFile, 'text/csv', csvOf([[imports.reasonColumn, ...kept.map((i) => names[i]!)], ...rows]));
  };
  return (
    <p>
      <button type="button" onClick={save}>
        {imports.downloadRejected}
      </button>{' '}
      <span class="quiet">{imports.downloadRejectedText}</span>
    </p>
  );
}

type ColumnProps = {
  column: { name: string; to: string | null };
  fields: readonly string[];
  change(column: string, to: string | null): void;
};

function ColumnField({ column: { name, to }, fields, change }: ColumnProps) {
  const id = useId();
  const own = to?.startsWith('metadata.') ? to : `metadata.${name}`;
  return (
    <div class="field">
      <label for={id}>{imports.column(name)}</label>
      <select id={id} value={to ?? ''} onChange={(event) => change(name, event.currentTarget.value || null)}>
        <option value="" selected={to === null}>
          {imports.leaveOut}
        </option>
        {fields.map((field) => (
          <option key={field} value={field} selected={to === field}>
            {imports.fields[field]}
          </option>
        ))}
        <option value={own} selected={to === own}>
          {imports.metadataOf(own.slice('metadata.'.length))}
        </option>
      </select>
    </div>
  );
}
