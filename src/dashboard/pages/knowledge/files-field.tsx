import { useId } from 'preact/hooks';
import { knowledge } from '../../text/knowledge.ts';

/** Files to choose, or to drop onto the field. */
export function FilesField({ files, choose }: { files: readonly File[]; choose(files: readonly File[]): void }) {
  const id = useId();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    choose([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <div class="field drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <label for={id}>{knowledge.files}</label>
      <input
        id={id}
        type="file"
        multiple
        aria-describedby={`${id}-hint`}
        onChange={(event) => choose([...(event.currentTarget.files ?? [])])}
      />
      <p class="hint" id={`${id}-hint`}>
        {knowledge.filesHint}
      </p>
      {files.length > 0 && (
        <ul>
          {files.map(({ name }) => (
            <li key={name} dir="auto">
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
